/** Addresses of the page: which page, and with what. */

export interface Route {
  name:
    | 'first'
    | 'room'
    | 'history'
    | 'match'
    | 'replay'
    | 'calculator'
    | 'rules'
    | 'proof'
    | 'settings'
    | 'missing';
  params: Record<string, string>;
  query: URLSearchParams;
  hash: string;
}

const PATTERNS: [Route['name'], RegExp][] = [
  ['first', /^\/$/],
  ['room', /^\/r\/(?<code>\d{6})$/],
  ['history', /^\/history$/],
  ['replay', /^\/m\/local$/],
  ['match', /^\/m\/(?<match>\w+)$/],
  ['replay', /^\/m\/(?<match>\w+)\/(?<hand>\d+)$/],
  ['calculator', /^\/calculator$/],
  ['rules', /^\/rules$/],
  ['proof', /^\/proof$/],
  ['settings', /^\/settings$/],
];

/** The route of an address. */
export function parse(address: URL): Route {
  const path = address.pathname.replace(/(.)\/$/, '$1');
  for (const [name, pattern] of PATTERNS) {
    const found = pattern.exec(path);
    if (found !== null) {
      return { name, params: { ...found.groups }, query: address.searchParams, hash: address.hash.slice(1) };
    }
  }
  return { name: 'missing', params: {}, query: address.searchParams, hash: '' };
}

function depthOf(state: unknown): number | undefined {
  const depth = (state as { depth?: unknown } | null)?.depth;
  return typeof depth === 'number' ? depth : undefined;
}

class Router {
  current: Route = $state.raw(parse(new URL(location.href)));
  /** Whether this page was come to from another of ours. */
  moved = false;
  /** How many pages of ours lie behind this one; kept in the history, so that a reload doesn't forget it. */
  private depth = depthOf(history.state) ?? 0;

  constructor() {
    history.replaceState({ depth: this.depth }, '');
    addEventListener('popstate', (event) => {
      const depth = depthOf(event.state);
      this.depth = depth ?? this.depth + 1;
      if (depth === undefined) history.replaceState({ depth: this.depth }, ''); // a place within the page
      this.current = parse(new URL(location.href));
    });
    document.addEventListener('click', (event) => this.clicked(event));
  }

  go(path: string, options: { replace?: boolean } = {}): void {
    const target = new URL(path, location.href);
    if (options.replace) {
      history.replaceState({ depth: this.depth }, '', target);
    } else {
      this.depth += 1;
      history.pushState({ depth: this.depth }, '', target);
    }
    this.moved = true;
    const before = this.current;
    this.current = parse(target);
    if (!options.replace && (before.name !== this.current.name || target.hash === '')) scrollTo(0, 0);
  }

  back(fallback: string): void {
    if (this.depth > 0) history.back();
    else this.go(fallback, { replace: true });
  }

  private clicked(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element | null)?.closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return;
    const target = new URL(link.href, location.href);
    if (target.origin !== location.origin || target.pathname.startsWith('/api/')) return;
    if (target.pathname === location.pathname && target.search === location.search && target.hash) return;
    event.preventDefault();
    this.go(target.href);
  }
}

const router = new Router();

/** Where we are. */
export const route = {
  get name() {
    return router.current.name;
  },
  get params() {
    return router.current.params;
  },
  get query() {
    return router.current.query;
  },
  get hash() {
    return router.current.hash;
  },
  /** Whether this page was come to from another of ours: then it takes the focus. */
  get moved() {
    return router.moved;
  },
};

export const go = (path: string, options?: { replace?: boolean }): void => router.go(path, options);
export const back = (fallback = '/'): void => router.back(fallback);
