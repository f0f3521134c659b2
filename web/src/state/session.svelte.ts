/** Who is playing here. */
import { t } from '../i18n/index.svelte';
import type { Profile, Session, SignedIn } from '../protocol/generated';
import { ApiError, api } from '../protocol/http';
import { complain } from '../ui/refusals';
import { keep, kept } from './kept';

const AGAIN_MS = 5000;

const KEY = 'hainan.name';

/** What somebody was called here last. */
export const lastName = (): string | null => kept(KEY);

const rememberName = (name: string | null): void => keep(KEY, name);

class Me {
  player: Profile | null = $state.raw(null);
  /** Whether the server has been asked. */
  known = $state(false);
  /** Somebody waits for a name to be given in the dialog. */
  asking = $state(false);
  private answers: ((signedIn: boolean) => void)[] = [];
  /** Why the server couldn't be asked: then nobody knows whether there is a player. */
  trouble: ApiError | null = $state.raw(null);
  private loading: Promise<void> | null = null;
  /** Whether the server has said it, not only that nobody was remembered here. */
  private sure = false;

  /** Who this is: asked of the server once, where somebody was signed in before. */
  load(): Promise<void> {
    if (!this.sure && lastName() === null) {
      this.known = true;
      return Promise.resolve();
    }
    return this.check();
  }

  /** Asked of the server in any case: some browsers forget what pages keep long before their cookies. */
  private check(): Promise<void> {
    this.loading ??= this.fetch();
    return this.loading;
  }

  private async fetch(): Promise<void> {
    this.trouble = null;
    try {
      const { player } = await api.get<Session>('/api/session');
      if (player === null) this.player = null;
      else this.signedIn(player);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.player = null;
      this.trouble = error;
      this.loading = null; // the next one who asks, asks again
    }
    this.sure = this.trouble === null;
    this.known = true;
  }

  private signedIn(player: Profile): void {
    this.player = player;
    rememberName(player.name);
  }

  async guest(name: string): Promise<void> {
    await api.post<SignedIn>('/api/players', { name });
    await this.again();
  }

  private async again(): Promise<void> {
    this.signedIn(await api.get<Profile>('/api/players/me'));
  }

  async signIn(name: string, password: string): Promise<void> {
    await api.post<SignedIn>('/api/session', { name, password });
    await this.again();
  }

  async rename(name: string): Promise<void> {
    this.signedIn(await api.patch<Profile>('/api/players/me', { name }));
  }

  async setPassword(password: string, current: string | null): Promise<void> {
    await api.put<SignedIn>('/api/players/me/password', { password, current });
    await this.again();
  }

  async signOut(): Promise<void> {
    await api.delete<void>('/api/session');
    this.player = null;
  }

  async signOutEverywhere(): Promise<void> {
    await api.post<void>('/api/players/me/sign-out-everywhere');
    this.player = null;
  }

  async remove(): Promise<void> {
    await api.delete<void>('/api/players/me');
    this.player = null;
    rememberName(null);
  }

  /**
   * Somebody is signed in afterwards, asked for a name if need be; false where he thought better of it. Waits for
   * the server where it can't be reached: who has a name already must not be asked for another.
   */
  async ensure(): Promise<boolean> {
    await this.check();
    while (this.trouble !== null) {
      complain(this.trouble);
      await reachable();
      await this.check();
    }
    if (this.player !== null) return true;
    this.asking = true;
    return new Promise((resolve) => {
      this.answers.push(resolve);
    });
  }

  /** Somebody is signed in afterwards, by a friendly name that nobody was asked for. */
  async anyhow(): Promise<void> {
    await this.check();
    if (this.trouble !== null) throw this.trouble;
    if (this.player === null) await this.guest(friendlyName());
  }

  /** The dialog is over. */
  asked(signedIn: boolean): void {
    this.asking = false;
    for (const answer of this.answers.splice(0)) answer(signedIn);
  }
}

/** A while later, or at once when there is a network again. */
function reachable(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, AGAIN_MS);
    function done(): void {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    }
    addEventListener('online', done);
  });
}

/** A name for whoever can't think of one. */
export function friendlyName(random: () => number = Math.random): string {
  const one = (names: string) => {
    const all = names.split(' ');
    return all[Math.floor(random() * all.length)]!;
  };
  return t('core.nameOf', { first: one(t('core.names')), second: one(t('core.names2')) });
}

export const session = new Me();
