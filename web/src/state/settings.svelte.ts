/** What this device likes; kept in the browser. */
import { keep, kept } from './kept';

interface Values {
  lang: 'zh' | 'en';
  face: 'classic' | 'large';
  theme: 'auto' | 'dark' | 'light';
  sound: boolean;
  voice: boolean;
  motion: 'auto' | 'off';
  oneTap: boolean;
  aid: boolean;
  /** Advice on every decision, without being asked. */
  coach: boolean;
}

const KEY = 'hainan.settings';
/** What browsers colour their own bars with: `--page` of the theme. */
const BARS = { dark: '#0c241c', light: '#f6f1e6' } as const;

/** Chinese for whoever reads any Chinese, else English. */
export function spoken(languages: readonly string[]): 'zh' | 'en' {
  return languages.some((one) => one.toLowerCase().startsWith('zh')) ? 'zh' : 'en';
}

function defaults(): Values {
  const languages = typeof navigator === 'undefined' ? [] : navigator.languages;
  return {
    lang: spoken(languages),
    face: 'classic',
    theme: 'auto',
    sound: true,
    voice: true,
    motion: 'auto',
    oneTap: false,
    aid: true,
    coach: false,
  };
}

const ALLOWED: { [Key in keyof Values]?: readonly Values[Key][] } = {
  lang: ['zh', 'en'],
  face: ['classic', 'large'],
  theme: ['auto', 'dark', 'light'],
  motion: ['auto', 'off'],
};

/** What is stored, as far as it makes sense. */
export function merged(base: Values, stored: string | null): Values {
  const values = { ...base };
  try {
    const known = Object(JSON.parse(stored ?? '{}')) as Record<string, unknown>;
    for (const key of Object.keys(base) as (keyof Values)[]) {
      const allowed: readonly unknown[] = ALLOWED[key] ?? [true, false];
      if (allowed.includes(known[key])) Object.assign(values, { [key]: known[key] });
    }
  } catch {
    // Something else wrote there: the defaults do.
  }
  return values;
}

export const settings: Values = $state(merged(defaults(), kept(KEY)));

/** Keep what is set, and let the document show it; called once. */
export function applySettings(): void {
  $effect.root(() => {
    $effect(() => {
      keep(KEY, JSON.stringify(settings));
    });
    $effect(() => {
      const root = document.documentElement;
      root.lang = settings.lang === 'zh' ? 'zh-CN' : 'en';
      root.dataset.motion = settings.motion;
    });
    $effect(() => {
      const dark = matchMedia('(prefers-color-scheme: dark)');
      const chosen = settings.theme;
      const show = () => {
        const theme = chosen === 'auto' ? (dark.matches ? 'dark' : 'light') : chosen;
        document.documentElement.dataset.theme = theme;
        document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BARS[theme]);
      };
      show();
      dark.addEventListener('change', show);
      return () => dark.removeEventListener('change', show);
    });
  });
}
