/** A decision's time, counting down from when it was told. */
export class Clock {
  readonly seconds: number;
  readonly bank: number;
  readonly total: number;
  readonly bankTotal: number;
  /** When it was told, by `performance.now()`. */
  readonly at: number;
  /** A clock that stands still: the table is paused. */
  readonly still: boolean;
  #now = $state(0);

  constructor(told: {
    seconds: number;
    bank: number;
    total: number;
    bankTotal: number;
    at: number;
    still: boolean;
  }) {
    this.seconds = told.seconds;
    this.bank = told.bank;
    this.total = Math.max(told.total, told.seconds, 1);
    this.bankTotal = Math.max(told.bankTotal, told.bank, 1);
    this.at = told.at;
    this.still = told.still;
    this.#now = performance.now();
  }

  tick(): void {
    this.#now = performance.now();
  }

  gone(now = performance.now()): number {
    return this.still ? 0 : Math.max(0, (now - this.at) / 1000);
  }

  get left(): number {
    return Math.max(0, Math.ceil(this.seconds - this.gone(this.#now)));
  }

  get bankLeft(): number {
    return Math.max(0, Math.ceil(this.bank - Math.max(0, this.gone(this.#now) - this.seconds)));
  }

  /** How much is left of a decision's time, and of the bank: 1 is all of it. */
  get share(): number {
    return share(this.seconds - this.gone(this.#now), this.total);
  }

  get bankShare(): number {
    return share(this.bank - Math.max(0, this.gone(this.#now) - this.seconds), this.bankTotal);
  }

  /** Five seconds and less, the bank not counted. */
  get low(): boolean {
    return this.left <= 5;
  }
}

const share = (left: number, all: number) => Math.max(0, Math.min(1, left / all));
