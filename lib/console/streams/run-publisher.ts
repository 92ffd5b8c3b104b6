import type { RunEvent } from '#lib/run/index.ts';
import type { RunFeed } from './run-feed.ts';
import type { JoinedFeed } from './shared-feeds.ts';

/** What a process that carries a run reports. Neither method throws. */
export type RunPublisher = {
  /** RunContext.onEvent. The run's name is known from its first event on. */
  tell(event: RunEvent): void;
  /** The executor has returned: pages follow the journal from now on. */
  end(): void;
};

export function runPublisher(
  join: (run: string) => JoinedFeed<RunFeed>,
  log: (line: string, cause?: unknown) => void,
): RunPublisher {
  let joined: JoinedFeed<RunFeed> | null = null;
  let over = false;
  return {
    tell: (event) => {
      if (over) return;
      try {
        if (!joined) {
          joined = join(event.run);
          joined.of.carried();
        }
        joined.of.tell(event);
      } catch (error) {
        // The run goes on even if its pages cannot be updated.
        log(`run ${event.run}: an event could not be shown`, error);
      }
    },
    end: () => {
      if (over) return;
      over = true;
      joined?.of.putDown();
      joined?.leave();
    },
  };
}
