/** A newer page than the one on show: taken over when the reader likes, never in the middle of a hand. */
import { registerSW } from 'virtual:pwa-register';

/** A page may stand open for days. */
const LOOK_MS = 30 * 60_000;

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
      onRegisteredSW: (_, registration) => {
        if (registration) lookNowAndThen(registration);
      },
    });
    this.apply = () => void update(true);
  }
}

/** Whether there is something newer: asked of the server whenever the page is looked at again, not too often. */
function lookNowAndThen(registration: ServiceWorkerRegistration): void {
  let looked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - looked < LOOK_MS) return;
    looked = Date.now();
    registration.update().catch(() => undefined); // no network: another time
  });
}

export const updates = new Updates();
