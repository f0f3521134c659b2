/** Calls of the server's HTTP interface; the session is a cookie. */
import type { About, Failure, Refusal } from './generated';

/** Longer than any answer takes. */
const TIMEOUT_MS = 20_000;

export class ApiError extends Error {
  constructor(
    readonly code: Refusal | 'offline',
    readonly why: string,
    readonly status = 0,
    readonly clause: string | null = null,
    readonly retryAfter: number | null = null,
    readonly about: About | null = null,
  ) {
    super(why);
  }
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (method !== 'GET') headers['X-Hainan'] = '1';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: gone.signal,
    });
    if (!response.ok) throw await failure(response);
    return (response.status === 204 ? undefined : await response.json()) as T;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('offline', 'the server cannot be reached'); // or somebody else answered in its place
  } finally {
    clearTimeout(timer);
  }
}

async function failure(response: Response): Promise<ApiError> {
  const after = Number(response.headers.get('Retry-After')) || null;
  try {
    const said = (await response.json()) as Failure;
    if (typeof said.code !== 'string') throw new TypeError();
    return new ApiError(
      said.code as Refusal,
      said.why,
      response.status,
      said.clause ?? null,
      after,
      said.about ?? null,
    );
  } catch {
    // Not the server itself, but what stands before it.
    const code = response.status >= 502 && response.status <= 504 ? 'offline' : 'internal';
    return new ApiError(code, response.statusText, response.status, null, after);
  }
}

export const api = {
  get: <T>(path: string) => call<T>('GET', path),
  post: <T>(path: string, body?: unknown) => call<T>('POST', path, body),
  put: <T>(path: string, body?: unknown) => call<T>('PUT', path, body),
  patch: <T>(path: string, body?: unknown) => call<T>('PATCH', path, body),
  delete: <T>(path: string) => call<T>('DELETE', path),
};
