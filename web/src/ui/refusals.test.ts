import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../protocol/http';
import { settings } from '../state/settings.svelte';
import { recordError } from '../study/local.svelte';
import { complain, errorText } from './refusals';
import { toasts } from './toasts.svelte';

const english = 'dealer: 7 is no whole number from 0 to 3';
const refused = (fault: string, params: Record<string, unknown> = {}, where = 'dealer') =>
  new ApiError('bad_message', english, 400, 'R1.1', null, { where, fault, params });

afterEach(() => {
  settings.lang = 'zh';
});

describe('a refusal', () => {
  it('says in the language on show what is wrong', () => {
    const error = refused('range', { low: 0, high: 3 });
    settings.lang = 'zh';
    expect(errorText(error)).toBe('填写的内容不对：dealer 应该是 0 到 3 的整数 · R1.1');
    expect(recordError(error)).toBe('牌谱里有不对的地方：dealer 应该是 0 到 3 的整数 · R1.1');
    settings.lang = 'en';
    expect(errorText(error)).toContain('dealer should be a whole number from 0 to 3');
  });

  it('names an action that may not be as players do', () => {
    settings.lang = 'zh';
    const why = { reason: 'no_sequence', given: { tile: '9m' } };
    const error = refused('illegal', { n: 12, seat: 2, action: 'chow 23m', ...why }, 'actions[11]');
    expect(recordError(error)).toContain('第 12 步，3 号座不能这样打（吃 二万 三万）：这两张和九万不成顺子');
    const fly = { n: 1, seat: 0, action: 'fly', reason: 'no_action', given: {} };
    expect(recordError(refused('illegal', fly))).toContain('（fly）：没有这样的动作');
  });

  it('tells at the table why, in the language on show, by whose name, and where to read it', () => {
    const sent = (reason: string, given: Record<string, unknown>) => ({
      code: 'illegal',
      why: english,
      clause: 'R3.1',
      about: { where: 'action', fault: 'forbidden', params: { action: 'pong', reason, given } },
    });
    settings.lang = 'zh';
    complain(sent('turn_of', { seat: 2 }), () => '阿海');
    complain(sent('turn_of', { seat: 2 }));
    settings.lang = 'en';
    complain(sent('no_tile', { tile: '9p' }));
    expect(toasts.words.map(({ text, clause }) => [text, clause])).toEqual([
      ['规则不允许这样打：现在轮到阿海', 'R3.1'],
      ['规则不允许这样打：现在轮到3 号座', 'R3.1'],
      ["The rules don't allow that: there is no 9 dots in the hand", 'R3.1'],
    ]);
  });

  it('shows no English to a Chinese reader', () => {
    settings.lang = 'zh';
    for (const fault of ['wrong', 'news']) {
      expect(errorText(refused(fault))).toBe('填写的内容不对 · R1.1');
      expect(recordError(refused(fault))).not.toContain('whole number');
    }
    settings.lang = 'en';
    expect(errorText(refused('wrong'))).toContain(english);
  });
});
