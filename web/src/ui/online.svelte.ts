/** Of a component: what failed for want of a network is tried again as soon as there is one. */
export function onReturn(again: () => void): void {
  $effect(() => {
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  });
}
