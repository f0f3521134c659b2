/** Names of tiles, for screen readers and sentences. */
import { lang } from '../i18n/index.svelte';

const NUMBERS = '一二三四五六七八九';
const SUITS: Record<string, [string, string]> = {
  m: ['万', 'characters'],
  p: ['筒', 'dots'],
  s: ['条', 'bamboo'],
};
const HONORS: [string, string][] = [
  ['东风', 'East'],
  ['南风', 'South'],
  ['西风', 'West'],
  ['北风', 'North'],
  ['白板', 'white dragon'],
  ['发财', 'green dragon'],
  ['红中', 'red dragon'],
];
const FLOWERS: [string, string][] = [
  ['春', 'spring'],
  ['夏', 'summer'],
  ['秋', 'autumn'],
  ['冬', 'winter'],
  ['梅', 'plum'],
  ['兰', 'orchid'],
  ['菊', 'chrysanthemum'],
  ['竹', 'bamboo flower'],
];
const BACK: [string, string] = ['牌背', 'hidden tile'];

/** What a tile is called in the language on show; null is a tile that can't be seen. */
export function nameOf(code: string | null): string {
  const which = lang() === 'zh' ? 0 : 1;
  if (code === null) return BACK[which];
  const number = Number(code[0]);
  const suit = SUITS[code[1] ?? ''];
  if (suit !== undefined)
    return which === 0
      ? `${NUMBERS[number - 1]}${suit[0]}`
      : `${number} ${number === 1 ? suit[1].replace(/s$/, '') : suit[1]}`;
  return (code[1] === 'z' ? HONORS : FLOWERS)[number - 1]?.[which] ?? code;
}
