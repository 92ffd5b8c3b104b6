import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const fileSchema = z.array(z.strictObject({ id: z.string(), until: z.int() }));

/**
 * Sessions that were signed out before their cookie ends. In the state folder, so that a copy of such a cookie is refused after a restart too.
 * A file that cannot be read is a file of nobody's: the worst that follows is that a cookie lives its twelve hours.
 */
export class EndedSessions {
  readonly #path: string;
  #ended: z.infer<typeof fileSchema>;

  private constructor(path: string, ended: z.infer<typeof fileSchema>) {
    this.#path = path;
    this.#ended = ended;
  }

  static async read(folder: string): Promise<EndedSessions> {
    const path = join(folder, 'ended-sessions.json');
    const text = await readFile(path, 'utf8').catch(() => '[]');
    return new EndedSessions(path, parsed(text));
  }

  has(id: string): boolean {
    return this.#ended.some((one) => one.id === id);
  }

  async add(id: string, until: number, nowMs: number): Promise<void> {
    this.#ended = [...this.#ended.filter((one) => one.until > nowMs), { id, until }];
    const whole = `${this.#path}.${randomUUID()}`;
    try {
      await writeFile(whole, JSON.stringify(this.#ended), { mode: 0o600 });
      await rename(whole, this.#path);
    } catch (error) {
      await rm(whole, { force: true });
      throw error;
    }
  }
}

function parsed(text: string): z.infer<typeof fileSchema> {
  try {
    const file = fileSchema.safeParse(JSON.parse(text));
    return file.success ? file.data : [];
  } catch {
    return [];
  }
}
