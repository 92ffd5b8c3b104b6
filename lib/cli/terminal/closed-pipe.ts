import { exit } from '../exit.ts';

let carrying = false;

/** Lets a run or the console continue if its reader goes away (`| head`, a closed terminal). */
export function keepGoingWithoutReader(): void {
  carrying = true;
}

/** Errors of a closed pipe (EPIPE) and a closed terminal (EIO). */
const closedCodes = new Set(['EPIPE', 'EIO']);

/** Ends the process quietly when its reader goes away. */
export function watchPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!closedCodes.has(error.code ?? '')) process.exit(exit.bug);
      if (!carrying) process.exit(exit.fine);
    });
  }
}
