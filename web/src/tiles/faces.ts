/** The set of faces on show: each a picture that tiles have for a background (`face-1m`). */
import type { settings } from '../state/settings.svelte';

type Face = (typeof settings)['face'];
const SETS: Record<Face, () => Promise<string>> = {
  classic: () => import('./faces/classic').then((set) => set.classic),
  large: () => import('./faces/large').then((set) => set.large),
};
let shown: Face | null = null;

export async function loadFaces(face: Face): Promise<void> {
  if (shown === face) return;
  shown = face;
  let symbols: string;
  try {
    symbols = await SETS[face]();
  } catch {
    // No connection: tiles without faces are no use, so it is tried until they come.
    setTimeout(() => {
      if (shown !== face) return;
      shown = null;
      void loadFaces(face);
    }, 3000);
    return;
  }
  if (shown === face) show(symbols); // else another was chosen meanwhile
}

/** A drawing of its own for each symbol of a set, with what it points at. */
export function drawings(symbols: string): Map<string, string> {
  const shared = new Map([...symbols.matchAll(SHARED)].map((one) => [one[2] ?? '', one[0]]));
  const needed = (drawn: string, found = new Set<string>()): Set<string> => {
    for (const [, id = ''] of drawn.matchAll(/href="#([\w-]+)"/g)) {
      if (found.has(id)) continue;
      found.add(id);
      needed(shared.get(id) ?? '', found);
    }
    return found;
  };
  return new Map(
    [...symbols.matchAll(SYMBOL)].map(([, code = '', drawn = '']) => {
      const defs = [...needed(drawn)].map((id) => shared.get(id) ?? '').join('');
      return [
        code,
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 80"><defs>${defs}</defs>${drawn}</svg>`,
      ];
    }),
  );
}
const SYMBOL = /<symbol id="face-(..)"[^>]*>(.*?)<\/symbol>/g;
const SHARED = /<(path|g) id="(shape-\d+)"(?:[^>]*\/>|.*?<\/\1>)/g;

let sheet: CSSStyleSheet | null = null;
/** Kept, so that no tile ever waits for its face. */
let pictures: HTMLImageElement[] = [];

/**
 * Pictures, and not drawings in the page: a table has a hundred tiles, and each drawing would be styled and
 * laid out there, and layers be made of it, as often as something moves.
 */
function show(symbols: string): void {
  const old = pictures;
  pictures = [];
  const rules: string[] = [];
  for (const [code, drawing] of drawings(symbols)) {
    const picture = new Image();
    picture.src = URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }));
    pictures.push(picture);
    rules.push(`.face-${code}{background-image:url("${picture.src}")}`);
  }
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
  }
  sheet.replaceSync(rules.join(''));
  for (const picture of old) URL.revokeObjectURL(picture.src);
}
