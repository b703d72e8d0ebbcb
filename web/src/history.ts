// What happened in a run, step by step: named columns of numbers that never grow beyond a limit.
// When they would, every second row is dropped and from then on every second step is kept, and so on.

const LIMIT = 8192;

export class History {
  readonly columns = new Map<string, number[]>();
  length = 0;
  private stride = 1;
  private skipped = 0;

  /** Adds a row; columns that it does not name get NaN. */
  push(row: Record<string, number>): void {
    if (++this.skipped < this.stride) return;
    this.skipped = 0;
    for (const name of Object.keys(row)) {
      if (!this.columns.has(name)) this.columns.set(name, new Array<number>(this.length).fill(NaN));
    }
    for (const [name, column] of this.columns) column.push(row[name] ?? NaN);
    this.length += 1;
    if (this.length >= LIMIT) this.thin();
  }

  /** Forgets what came after a time, s. */
  cut(time: number): void {
    const times = this.column("time");
    const kept = times.findIndex((t) => t > time + 1e-9);
    if (kept < 0) return;
    for (const column of this.columns.values()) column.length = kept;
    this.length = kept;
  }

  column(name: string): number[] {
    return this.columns.get(name) ?? [];
  }

  /** Forgets a column, for instance when another joint was selected. */
  drop(name: string): void {
    this.columns.delete(name);
  }

  /** Forgets all columns whose names begin so. */
  dropAll(start: string): void {
    for (const name of [...this.columns.keys()]) if (name.startsWith(start)) this.columns.delete(name);
  }

  last(name: string): number {
    return this.columns.get(name)?.at(-1) ?? NaN;
  }

  private thin(): void {
    for (const [name, column] of this.columns) {
      this.columns.set(
        name,
        column.filter((_, k) => k % 2 === 1),
      );
    }
    this.length = this.column("time").length;
    this.stride *= 2;
  }
}
