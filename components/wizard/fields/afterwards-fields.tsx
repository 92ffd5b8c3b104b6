'use client';

import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { counted } from '#lib/base/words.ts';
import { fieldName, type Values } from '#lib/console/wizard/index.ts';
import type { AfterwardsOffer, UpgradeAfterwards } from '#lib/plan/index.ts';
import { OneOf } from './changes/one-of.tsx';
import { StaleAnswers } from './changes/stale-answers.tsx';

/** Optional changes after an upgrade, each off until the user asks for it, and the decisions that they need. */
export function AfterwardsFields({
  afterwards: { offers, decisions, stray },
  saved,
  cluster,
}: {
  afterwards: UpgradeAfterwards;
  saved: Values;
  /** Its slug. */
  cluster: string;
}) {
  return (
    <div className="grid grid-cols-1 gap-4">
      {stray.length > 0 && <StaleAnswers names={stray} saved={saved} />}
      {offers.map((offer) => (
        <Panel key={offer.what} title={offer.title}>
          <Offer offer={offer} saved={saved} />
          {offer.what === 'allow-all-upgrade' && offer.cannot === null && <WhatItLetsPass cluster={cluster} />}
        </Panel>
      ))}
      {decisions.length > 0 && (
        <Panel
          title="Host endpoints: yours to decide"
          aside={<span className="text-sm">{counted(decisions.length, 'decision')}</span>}
        >
          {decisions.map(({ id, about, keep, take, decided }) => (
            <OneOf
              key={id}
              name={fieldName('decide', id)}
              legend={about}
              initial={saved[fieldName('decide', id)] ?? ''}
              aside={
                decided ? <StateMark state="ok">decided</StateMark> : <StateMark state="warn">to decide</StateMark>
              }
              options={[
                { value: 'keep', title: 'Keep', text: keep },
                ...(take === null ? [] : [{ value: 'take', title: 'Take', text: take }]),
              ]}
            />
          ))}
        </Panel>
      )}
    </div>
  );
}

/** Of the days that the console keeps. */
const reviewed = new URLSearchParams({ q: 'policy:allow-all-upgrade since:7d', show: 'top' });

/** The policy's own flows: what it allows, and nothing else may once it is gone. Without flow logs the page says how they are enabled. */
function WhatItLetsPass({ cluster }: { cluster: string }) {
  return (
    <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">
      <a href={`/clusters/${cluster}/flows?${reviewed}`} target="_blank" rel="noreferrer">
        Look at its flows of the last 7 days
      </a>{' '}
      first: each needs another policy that allows it. This needs flow logs, which Calico has from v3.30 on.
    </p>
  );
}

/** One optional change. If it was chosen and is no longer possible, it can still be deselected. */
function Offer({
  offer: { what, title, does, undo, cannot, isAsked },
  saved,
}: {
  offer: AfterwardsOffer;
  saved: Values;
}) {
  if (cannot !== null && !isAsked) return <p className="px-4 py-3 text-sm text-ink-2">{cannot}</p>;
  return (
    <OneOf
      name={what}
      legend={title}
      isTitled
      initial={saved[what] ?? ''}
      options={[
        { value: '', title: 'Not now', text: 'Everything stays as it is.' },
        { value: 'yes', title: 'Do it', text: cannot ?? `${does} ${undo}` },
      ]}
    />
  );
}
