import { exit } from '../exit.ts';

let carrying = false;

/** While a run is carried, or the console is there, its reader may go away (`| head`, a closed terminal): the work goes on without being told. */
export function keepGoingWithoutReader(): void {
  carrying = true;
}

/** A pipe says EPIPE, a terminal that was closed EIO. */
const gone = new Set(['EPIPE', 'EIO']);

/** Elsewhere a reader that goes away has read enough. */
export function watchPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!gone.has(error.code ?? '')) process.exit(exit.bug);
      if (!carrying) process.exit(exit.fine);
    });
  }
}
