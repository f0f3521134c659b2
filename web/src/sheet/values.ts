/** An option sheet as data: what an option is set to, and what of it differs from the preset. */
import type { OptionView, PresetView, RuleBook, Settings, SheetView } from '../protocol/generated';

export type Value = boolean | number | string | null;

export function presetOf(book: RuleBook, settings: Settings): PresetView {
  const name = String(settings.rules?.preset ?? book.presets[0]!.name);
  return book.presets.find((preset) => preset.name === name) ?? book.presets[0]!;
}

/** What a sheet gives to an option, and what its preset would. */
export const setTo = (sheet: SheetView, option: OptionView): Value => sheet.values[option.name] as Value;
export const usual = (sheet: SheetView, option: OptionView): Value => sheet.usual[option.name] as Value;

export function differs(sheet: SheetView, option: OptionView): boolean {
  return setTo(sheet, option) !== usual(sheet, option);
}

/** The settings with one option set; what the preset has anyway isn't named, where it is known. */
export function withValue(
  sheet: SheetView | null,
  settings: Settings,
  option: OptionView,
  value: Value,
): Settings {
  const rules = { ...settings.rules };
  if (sheet !== null && value === usual(sheet, option)) delete rules[option.name];
  else rules[option.name] = value;
  return { ...settings, rules };
}

/** Another preset, without any difference. */
export function withPreset(settings: Settings, name: string): Settings {
  return { ...settings, rules: { preset: name } };
}

/** The chapter of the rule book that a clause stands in. */
export function chapterOf(clause: string): string {
  return /^R(\d+)/.exec(clause)?.[1] ?? '';
}

/** Options by chapter, in the order of the rule book; within one, in that of the sheet. */
export function byChapter(options: readonly OptionView[]): { chapter: string; options: OptionView[] }[] {
  const found = new Map<string, OptionView[]>();
  for (const option of options) {
    const chapter = chapterOf(option.clause);
    found.set(chapter, [...(found.get(chapter) ?? []), option]);
  }
  return [...found]
    .map(([chapter, options]) => ({ chapter, options }))
    .sort((one, other) => Number(one.chapter) - Number(other.chapter));
}

/** The values of an option that takes a tile or a word: the words, then every kind of the range. */
export function tilesIn(values: string): string[] {
  return values.split(' | ').flatMap((value) => {
    const range = /^1m\.\.(\d)z$/.exec(value);
    if (range === null) return [value];
    const kinds = (suit: string, last: number) =>
      Array.from({ length: last }, (_, number) => `${number + 1}${suit}`);
    return [...kinds('m', 9), ...kinds('p', 9), ...kinds('s', 9), ...kinds('z', Number(range[1]))];
  });
}
