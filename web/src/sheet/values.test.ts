import { describe, expect, it } from 'vitest';
import type { Settings, SheetView } from '../protocol/generated';
import { byChapter, differs, setTo, tilesIn, withPreset, withValue } from './values';

const option = (name: string, value: boolean | number) => ({
  name,
  default: value,
  values: '',
  choices: null,
  zh: '',
  en: '',
  clause: 'R1.1',
  help_zh: '',
  help_en: '',
});
const ga = option('ga', true);
const hands = option('hands', 8);
const sheet: Settings = { rules: { preset: 'other', hands: 4 }, players: 3 };
const view: SheetView = { values: { ga: false, hands: 4 }, usual: { ga: false, hands: 8 }, digest: '' };

describe('a sheet', () => {
  it('has the values that the server says count', () => {
    expect([setTo(view, ga), setTo(view, hands)]).toEqual([false, 4]);
    expect([differs(view, ga), differs(view, hands)]).toEqual([false, true]);
  });

  it('names only what differs', () => {
    expect(withValue(view, sheet, ga, true).rules).toEqual({ preset: 'other', hands: 4, ga: true });
    expect(withValue(view, sheet, hands, 8).rules).toEqual({ preset: 'other' });
    expect(withValue(null, sheet, hands, 8).rules).toEqual({ preset: 'other', hands: 8 });
  });

  it('is ordered by the chapters of the rule book', () => {
    const options = ['R8.2', 'R10.1', 'R1.7', 'R8.3'].map((clause) => ({ ...option(clause, true), clause }));
    const groups = byChapter(options).map((one) => [one.chapter, one.options.map((each) => each.clause)]);
    expect(groups).toEqual([
      ['1', ['R1.7']],
      ['8', ['R8.2', 'R8.3']],
      ['10', ['R10.1']],
    ]);
  });

  it('names every tile of a range', () => {
    const values = tilesIn('none | next | 1m..7z');
    expect(values).toHaveLength(2 + 34);
    expect([values[0], values[2], values.at(-1)]).toEqual(['none', '1m', '7z']);
  });

  it('keeps the house settings when the preset changes', () => {
    expect(withPreset(sheet, 'one')).toEqual({ rules: { preset: 'one' }, players: 3 });
  });
});
