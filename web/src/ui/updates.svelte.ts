/** A newer page than the one on show: taken over when the reader likes, never in the middle of a hand. */
import { registerSW } from 'virtual:pwa-register';

class Updates {
  ready = $state(false);
  apply = (): void => {};

  constructor() {
    if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
    const update = registerSW({
      immediate: true,
      onNeedRefresh: () => {
        this.ready = true;
      },
    });
    this.apply = () => void update(true);
  }
}

export const updates = new Updates();
