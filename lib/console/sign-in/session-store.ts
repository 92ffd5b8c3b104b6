import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Times in ms since 1970. `browser`: its name for the list of sessions. */
const keptSchema = z.strictObject({
  id: z.string(),
  browser: z.string(),
  since: z.int(),
  until: z.int(),
  usedAt: z.int(),
});
export type KeptSession = z.infer<typeof keptSchema>;

/**
 * The sessions, in `sessions.json` of the state folder, so that an ended session stays ended after a restart, even for a copy of its cookie. A file that cannot
 * be read counts as empty: everybody has to sign in again.
 */
export class SessionStore {
  readonly #path: string;
  readonly #sessions: Map<string, KeptSession>;
  #writing: Promise<void> = Promise.resolve();
  #isKept = true;

  private constructor(path: string, sessions: readonly KeptSession[]) {
    this.#path = path;
    this.#sessions = new Map(sessions.map((one) => [one.id, one]));
  }

  static async read(folder: string): Promise<SessionStore> {
    const path = join(folder, 'sessions.json');
    return new SessionStore(path, parsed(await readFile(path, 'utf8').catch(() => '[]')));
  }

  get(id: string): KeptSession | undefined {
    return this.#sessions.get(id);
  }

  all(): readonly KeptSession[] {
    return [...this.#sessions.values()];
  }

  /** Adds a session to this process at once; `keep` stores it for the next start. */
  put(session: KeptSession): void {
    this.#sessions.set(session.id, session);
    this.#isKept = false;
  }

  delete(id: string): void {
    if (this.#sessions.delete(id)) this.#isKept = false;
  }

  /** Writes the file atomically if something changed; concurrent calls write one after the other. */
  keep(): Promise<void> {
    const written = this.#writing.then(async () => {
      if (this.#isKept) return;
      this.#isKept = true;
      const temporary = `${this.#path}.${randomUUID()}`;
      try {
        await writeFile(temporary, JSON.stringify(this.all()), { mode: 0o600 });
        await rename(temporary, this.#path);
      } catch (error) {
        this.#isKept = false;
        await rm(temporary, { force: true });
        throw error;
      }
    });
    this.#writing = written.catch(() => {});
    return written;
  }
}

function parsed(text: string): readonly KeptSession[] {
  try {
    const file = z.array(keptSchema).safeParse(JSON.parse(text));
    return file.success ? file.data : [];
  } catch {
    return [];
  }
}
