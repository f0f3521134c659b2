/** Handing a link on: by the system's own sheet where there is one, else by the clipboard. */
import { toast } from './toasts.svelte';

/** Whether that was possible; who thinks better of it isn't asked again. Else the link has to be shown. */
export async function shareLink(
  url: string,
  what: { title: string; text?: string },
  copied: string,
): Promise<boolean> {
  try {
    if (navigator.share) await navigator.share({ ...what, url });
    else {
      await navigator.clipboard.writeText(url);
      toast(copied, 'good');
    }
  } catch (error) {
    return (error as Error).name === 'AbortError';
  }
  return true;
}
