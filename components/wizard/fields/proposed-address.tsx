'use client';

import { Button } from '#components/ui/button.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import type { EndpointProposal } from '#lib/console/wizard/index.ts';

type Address = { host: string; port: string };

/** The proposed address, its reasons and its drawbacks. It is only used once the user accepts it. */
export function ProposedAddress({
  proposal: { suggested, apiServers },
  typed,
  use,
}: {
  proposal: EndpointProposal;
  typed: Address;
  use: (address: Address) => void;
}) {
  if (suggested === null)
    return (
      <p className="text-ink-2">
        No address could be proposed from what was read.{' '}
        {apiServers.length > 0 && `The API servers themselves are ${apiServers.join(', ')}.`}
      </p>
    );
  const { host, port, because, doubts, isAccepted } = suggested;
  const isTyped = typed.host.trim() === host && typed.port.trim() === port;
  const isEmpty = typed.host === '' && typed.port === '';
  const isUsed = isTyped || (isAccepted && isEmpty);
  return (
    <section aria-label="Proposed address" className="rounded-md border border-line bg-sheet px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <code className="text-ink [overflow-wrap:anywhere]">
          {host}:{port}
        </code>
        <span className="rounded border border-line px-1.5 text-xs font-medium text-ink-2">proposed</span>
      </p>
      <p className="mt-1 text-sm text-ink-2">Because {because}.</p>
      {doubts.map((doubt) => (
        <p key={doubt} className="mt-1 text-sm">
          <StateMark state="warn">Doubt</StateMark> <span className="text-ink-2">{doubt}.</span>
        </p>
      ))}
      <div className="mt-2.5">
        {isUsed ? (
          <StateMark state="ok">In use</StateMark>
        ) : (
          <>
            <input type="hidden" name="proposedHost" value={host} />
            <input type="hidden" name="proposedPort" value={port} />
            {/* Plain once an address was typed: then *Continue* is the page's one primary action. */}
            <Button
              kind={isEmpty ? 'primary' : 'plain'}
              type="submit"
              name="use"
              value="proposal"
              onClick={(event) => {
                event.preventDefault();
                use({ host, port });
              }}
            >
              Use this address
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
