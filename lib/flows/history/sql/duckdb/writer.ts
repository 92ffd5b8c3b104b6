import type { DuckDBConnection } from '@duckdb/node-api';

/** The one connection that writes. What is asked of it is done one after the other. */
export class Writer {
  readonly connection: DuckDBConnection;
  readonly #rolledBack: () => void;
  #turn: Promise<unknown> = Promise.resolve();

  /** `rolledBack`: called before a transaction that failed is rolled back. */
  constructor(connection: DuckDBConnection, rolledBack: () => void) {
    this.connection = connection;
    this.#rolledBack = rolledBack;
  }

  oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  inTransaction(work: () => Promise<void>): Promise<void> {
    return this.oneAtATime(async () => {
      await this.connection.run('BEGIN');
      try {
        await work();
        await this.connection.run('COMMIT');
      } catch (error) {
        this.#rolledBack();
        await this.connection.run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }
}

export async function rowsOf(connection: DuckDBConnection, text: string, values: readonly (string | number)[] = []) {
  const reader = await connection.runAndReadAll(text, [...values]);
  return reader.getRowObjects();
}
