import { exit } from './exit.ts';

let carrying = false;

/** While a run is carried its reader may go away (`| head`, a closed pager): the run goes on without being told. */
export function keepGoingWithoutReader(): void {
  carrying = true;
}

/** Elsewhere a reader that goes away has read enough. */
export function watchPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(exit.bug);
      if (!carrying) process.exit(exit.fine);
    });
  }
}
