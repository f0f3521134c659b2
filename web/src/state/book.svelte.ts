/** Presets, options and terms of the rule book, as the server has them in both languages. */
import { named } from '../i18n/index.svelte';
import type { Named, OptionView, PresetView, RuleBook } from '../protocol/generated';
import { api } from '../protocol/http';

export type TermKind = 'patterns' | 'licences' | 'melds' | 'ends' | 'ways' | 'reasons' | 'pay_rules';

class Book {
  data: RuleBook | null = $state.raw(null);
  private loading: Promise<void> | null = null;

  get ready(): boolean {
    return this.data !== null;
  }

  /** Fetch it once; a failure is tried again by the next one who asks. */
  load(): Promise<void> {
    this.loading ??= api.get<RuleBook>('/api/rules').then(
      (data) => {
        this.data = data;
      },
      (error: unknown) => {
        this.loading = null;
        throw error;
      },
    );
    return this.loading;
  }

  private find(kind: TermKind, id: string): Named | undefined {
    return this.data?.[kind].find((one) => one.id === id);
  }

  /** A term in the language on show; its id while the book isn't there. */
  term(kind: TermKind, id: string): string {
    return named(this.find(kind, id)) || id;
  }

  clause(kind: TermKind, id: string): string {
    return this.find(kind, id)?.clause ?? '';
  }

  option(name: string): OptionView | undefined {
    return this.data?.options.find((one) => one.name === name);
  }

  preset(name: string): PresetView | undefined {
    return this.data?.presets.find((one) => one.name === name);
  }

  presetName(name: string): string {
    return named(this.preset(name)) || name;
  }

  phrase(name: string): string {
    return named(this.data?.phrases.find((one) => one.name === name)) || name;
  }
}

export const book = new Book();
