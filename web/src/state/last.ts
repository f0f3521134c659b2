/** The room where one was last, for the way back. */
import { keep, kept } from './kept';

const KEY = 'hainan.room';

export function lastRoom(): string | null {
  const code = kept(KEY);
  return code !== null && /^\d{6}$/.test(code) ? code : null;
}

export const rememberRoom = (code: string | null): void => keep(KEY, code);
