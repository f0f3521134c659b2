/** The set of faces on show: each a picture that tiles have for a background (`face-1m`). */
import type { settings } from '../state/settings.svelte';

type Face = (typeof settings)['face'];
/** What the face of each tile is drawn of, within 60 by 80. */
type Drawn = Readonly<Record<string, string>>;
const SETS: Record<Face, () => Promise<Drawn>> = {
  classic: () => import('./faces/classic').then((set) => set.classic),
  large: () => import('./faces/large').then((set) => set.large),
};
let shown: Face | null = null;

export async function loadFaces(face: Face): Promise<void> {
  if (shown === face) return;
  shown = face;
  let set: Drawn;
  try {
    set = await SETS[face]();
  } catch {
    // No connection: tiles without faces are no use, so it is tried until they come.
    setTimeout(() => {
      if (shown !== face) return;
      shown = null;
      void loadFaces(face);
    }, 3000);
    return;
  }
  if (shown === face) show(set); // else another was chosen meanwhile
}

let sheet: CSSStyleSheet | null = null;
/** Kept, so that no tile ever waits for its face. */
let pictures: HTMLImageElement[] = [];

/**
 * Pictures, and not drawings in the page: a table has a hundred tiles, and each drawing would be styled and
 * laid out there, and layers be made of it, as often as something moves.
 */
function show(set: Drawn): void {
  const old = pictures;
  pictures = [];
  const rules: string[] = [];
  for (const [code, drawn] of Object.entries(set)) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 80">${drawn}</svg>`;
    const picture = new Image();
    picture.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
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
