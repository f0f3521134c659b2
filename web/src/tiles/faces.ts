/** The set of faces on show, once in the document; tiles only point at its symbols. */
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
  if (shown !== face) return; // another was chosen meanwhile
  let sprite = document.getElementById('faces');
  if (sprite === null) {
    sprite = document.createElement('div');
    sprite.id = 'faces';
    sprite.className = 'hidden';
    sprite.setAttribute('aria-hidden', 'true');
    document.body.append(sprite);
  }
  sprite.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0">${symbols}</svg>`;
}
