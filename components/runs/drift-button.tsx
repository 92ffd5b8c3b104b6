'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { counted } from '#lib/base/words.ts';
import type { Drift } from '#lib/run/index.ts';

type Asked =
  | { kind: 'not-yet' }
  | { kind: 'asking' }
  | { kind: 'failed'; because: string }
  | { kind: 'told'; drift: Drift };

/** A button that compares the cluster with the state that the run left. */
export function DriftButton({ cluster, run }: { cluster: string; run: string }) {
  const [request, setRequest] = useState<Asked>({ kind: 'not-yet' });
  const press = async () => {
    if (request.kind === 'asking') return;
    setRequest({ kind: 'asking' });
    setRequest(await ask(cluster, run));
  };
  return (
    <div className="flex min-w-0 flex-col items-start gap-3 text-sm">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={press} aria-disabled={request.kind === 'asking'}>
          {request.kind === 'asking' ? 'Comparing…' : 'Check for drift since then'}
        </Button>
        <span role="status">{request.kind === 'told' && <Verdict drift={request.drift} />}</span>
      </div>
      {request.kind === 'failed' && (
        <p role="alert" className="text-red">
          {request.because}
        </p>
      )}
      {request.kind === 'told' && <Details drift={request.drift} />}
    </div>
  );
}

function Verdict({ drift: { drifted, looked, notRead } }: { drift: Drift }) {
  if (drifted.length > 0)
    return <StateMark state="warn">{counted(drifted.length, 'difference')} since the run</StateMark>;
  if (notRead.length > 0)
    return (
      <StateMark state="unknown">
        {looked === 0
          ? 'Nothing could be compared'
          : `No difference in the ${counted(looked, 'value')} that could be read`}
      </StateMark>
    );
  if (looked === 0) return <StateMark state="unknown">Nothing to compare: the run left no value behind</StateMark>;
  return <StateMark state="ok">{`As the run left it: ${counted(looked, 'value')} compared`}</StateMark>;
}

function Details({ drift: { drifted, notRead } }: { drift: Drift }) {
  return (
    <>
      {drifted.length > 0 && (
        <TableBox label="Differences since the run" className="w-full rounded-md border border-line">
          <table>
            <thead>
              <tr>
                <th scope="col">Object and field</th>
                <th scope="col">The run left</th>
                <th scope="col">Now</th>
              </tr>
            </thead>
            <tbody>
              {drifted.map(({ object, path, left, now }) => (
                <tr key={`${object} ${path}`}>
                  <td className="[overflow-wrap:anywhere]">
                    <code>{object}</code> {path !== null && <code className="text-ink-3">{path}</code>}
                  </td>
                  <td className="[overflow-wrap:anywhere]">{left}</td>
                  <td className="[overflow-wrap:anywhere]">{now}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
      {notRead.map((sentence) => (
        <p key={sentence} className="text-violet">
          Not compared: {sentence}
        </p>
      ))}
    </>
  );
}

async function ask(cluster: string, run: string): Promise<Asked> {
  const path = `/api/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(run)}/drift`;
  try {
    const response = await fetch(path, { cache: 'no-store' });
    const body: unknown = await response.json();
    if (response.ok && isDrift(body)) return { kind: 'told', drift: body };
    const because = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
    return { kind: 'failed', because: because || 'The console answered something else than a comparison.' };
  } catch {
    return { kind: 'failed', because: 'The console does not answer.' };
  }
}

function isDrift(value: unknown): value is Drift {
  return typeof value === 'object' && value !== null && 'drifted' in value && 'looked' in value && 'notRead' in value;
}
