import { usageError } from './exit.ts';

/** What a flag says, read; what is wrong with it is a mistake of who wrote it. */
export async function asUsage<T>(flag: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw usageError(`${flag}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
