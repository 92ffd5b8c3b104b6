'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { holdsKey, keyFromLink } from './key-from-link.ts';
import { LinkForm } from './link-form.tsx';
import { type KeyOutcome, spendKey } from './spend-key.ts';

type Stage = { kind: 'looking' } | { kind: 'waiting' } | { kind: 'no-key' } | { kind: 'refused'; why: Refused };
type Refused = Exclude<KeyOutcome, 'signed-in'>;

/** Reads the key from the URL, removes it there first, and signs in with it. */
export function SignIn({ to, session }: { to: string; session: 'valid' | 'none' }) {
  const [stage, setStage] = useState<Stage>({ kind: 'looking' });
  /** The part of the page that was asked for, with its `#`: browsers carry it over to the sign-in, past the server. */
  const part = useRef('');
  const goOn = useCallback(() => window.location.replace(to + part.current), [to]);

  const give = useCallback(
    async (key: string) => {
      setStage({ kind: 'waiting' });
      const outcome = await spendKey(key);
      // The link was opened twice in this browser, which is signed in already.
      if (outcome === 'signed-in' || session === 'valid') goOn();
      else setStage({ kind: 'refused', why: outcome });
    },
    [goOn, session],
  );

  useEffect(() => {
    const take = () => {
      const { hash, pathname, search } = window.location;
      const key = keyFromLink(hash);
      if (!holdsKey(hash)) part.current = hash;
      else window.history.replaceState(null, '', pathname + search + part.current);
      if (key !== null) void give(key);
      else if (session === 'valid') goOn();
      else setStage((now) => (now.kind === 'looking' ? { kind: 'no-key' } : now));
    };
    take();
    // Opening a link in this tab changes only the fragment.
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, [give, goOn, session]);

  return (
    <>
      <p className="mb-8 flex items-center gap-2.5 font-[620]">
        <Mark />
        Signalbox
      </p>
      {stage.kind === 'looking' || stage.kind === 'waiting' ? (
        <div role="status">
          <h1>Signing in</h1>
          <p className="mt-1 text-ink-2">The link is being used up.</p>
          <noscript>
            <p className="mt-4 text-ink-2">
              This page needs JavaScript: the key of a link is never sent in an address.
            </p>
          </noscript>
        </div>
      ) : (
        <>
          <div role="alert">{stage.kind === 'refused' ? <Refusal why={stage.why} /> : <NoKey to={to} />}</div>
          <NewLink />
          <LinkForm give={give} />
        </>
      )}
    </>
  );
}

function NoKey({ to }: { to: string }) {
  return (
    <>
      <h1>Sign in to this console</h1>
      <p className="mt-1 text-ink-2">
        {to === '/'
          ? 'Open the sign-in link that the console printed when it started.'
          : 'Your session has ended, or began in another browser. With a new link you continue where you were.'}
      </p>
    </>
  );
}

const refusals: Record<Refused, { state: 'warn' | 'bad'; title: string; text: string }> = {
  wrong: {
    state: 'bad',
    title: 'This link is not valid',
    text: 'It may be cut off, or older than the console that runs now: each start makes its own.',
  },
  used: {
    state: 'warn',
    title: 'This link was already used',
    text: 'Each link opens one session. If you did not use it, stop the console: somebody else signed in.',
  },
  expired: { state: 'warn', title: 'This link is too old', text: 'A link is good for 15 minutes.' },
  'too-many': {
    state: 'bad',
    title: 'Too many wrong links',
    text: 'More than ten came in the last minute. A fresh link works at once.',
  },
  offline: {
    state: 'bad',
    title: 'The console does not answer',
    text: 'It may have been stopped. Start it again and open the link that it prints.',
  },
};

function Refusal({ why }: { why: Refused }) {
  const { state, title, text } = refusals[why];
  return (
    <>
      <h1 className="mb-3">Sign in to this console</h1>
      <Notice state={state} title={title}>
        <p>{text}</p>
      </Notice>
    </>
  );
}

/** The logo, as in the frame. */
function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M2 6h18M2 16h18M6 6l8 10" className="stroke-ink" strokeWidth="2" fill="none" />
      <circle cx="10" cy="11" r="3.4" className="fill-blue" />
    </svg>
  );
}

const command = 'bin/signalbox console link';

/** How to get a new link, which needs this user's account on the machine. */
function NewLink() {
  return (
    <section className="mt-6" aria-labelledby="new-link">
      <h2 id="new-link" className="font-semibold">
        Get a new link
      </h2>
      <p className="mt-0.5 text-ink-2">In the project's folder, as the user who started the console:</p>
      <div className="mt-2 flex items-center justify-between gap-3 rounded-md border border-line bg-sheet py-1.5 pr-1.5 pl-3">
        <code>{command}</code>
        <CopyButton text={command} of="the command" />
      </div>
    </section>
  );
}
