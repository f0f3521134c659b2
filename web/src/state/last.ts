/** The room where one was last, for the way back. */

const KEY = 'hainan.room';

export function lastRoom(): string | null {
  try {
    const code = localStorage.getItem(KEY);
    return code !== null && /^\d{6}$/.test(code) ? code : null;
  } catch {
    return null;
  }
}

export function rememberRoom(code: string | null): void {
  try {
    if (code === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, code);
  } catch {
    // A browser that keeps nothing.
  }
}
