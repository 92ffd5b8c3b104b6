import { Button } from '#components/ui/button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { ClockTime } from '#components/ui/time/clock-time.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import type { SessionInList } from '#lib/console/host.ts';
import { EndSession } from './end-session.tsx';

/** All sessions, last used first, with buttons to end one or all. */
export function SessionList({ sessions }: { sessions: readonly SessionInList[] }) {
  return (
    <>
      <Panel title="Signed in" aside={`${sessions.length}`}>
        <ul className="divide-y divide-line">
          {sessions.map(({ id, browser, since, usedAt, endsAt, isThis }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
              <span className="min-w-0 max-sm:w-full">
                <span className="block font-[560]">
                  {browser}
                  {isThis && <span className="font-normal text-ink-3"> · this browser</span>}
                </span>
                {/* A line each where it is narrow: the server's exact times are longer than the words that follow, and nothing may jump. */}
                <span className="flex flex-col text-sm whitespace-nowrap text-ink-2 lg:flex-row lg:[&>*]:min-w-64">
                  <span>
                    Last used <RelativeTime at={usedAt} />
                  </span>
                  <span>
                    Signed in <RelativeTime at={since} />
                  </span>
                  <span>
                    Ends at <ClockTime at={endsAt} to="minute" /> when not used
                  </span>
                </span>
              </span>
              {isThis ? (
                <form method="post" action="/sign-out">
                  <Button type="submit" kind="danger" aria-label="Sign out: this browser">
                    Sign out
                  </Button>
                </form>
              ) : (
                <EndSession session={id} browser={browser} since={since} />
              )}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Sign out everywhere" className="mt-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 py-3">
          <p className="max-w-[72ch] text-ink-2">
            Ends every session, this one too, and every sign-in link that was not used yet. Runs continue.{' '}
            <code>bin/signalbox console link</code> prints a new link.
          </p>
          <form method="post" action="/sign-out/everywhere">
            <Button type="submit" kind="danger">
              Sign out everywhere
            </Button>
          </form>
        </div>
      </Panel>
    </>
  );
}
