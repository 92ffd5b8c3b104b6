'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ClusterNameField } from '#components/ui/cluster-name-field.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { WayBackWords } from '../way-back-words.ts';
import type { RunRequests } from './use-run-request.ts';

/** Undoes the run. `steps` is the way back as the server sees it now. Asks for the cluster's name, because it changes the cluster. */
export function UndoDialog({
  back,
  clusterName,
  steps,
  isOpen,
  onClose,
  requests,
}: {
  back: WayBackWords;
  clusterName: string;
  steps: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  requests: RunRequests;
}) {
  const [typed, setTyped] = useState('');
  const failure = requests.refused?.action === 'undo' ? requests.refused.failure : null;
  const error = failure?.fields?.confirmation;
  return (
    <Dialog open={isOpen} onClose={onClose} title={back.title}>
      <p className="text-ink-2">{back.lead}</p>
      {/* No box of its own that scrolls: the dialog does, and the keyboard gets there by its fields. */}
      <div className="my-3 rounded-md border border-line">{steps}</div>
      <form
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          event.preventDefault();
          if (await requests.ask({ action: 'undo', confirmation: typed })) onClose();
        }}
      >
        {failure && error === undefined && <Notice state="bad" title={failure.message} />}
        <ClusterNameField
          id="undo-confirmation"
          label={
            <>
              To continue, type the cluster's name, <code className="text-ink">{clusterName}</code>
            </>
          }
          error={error}
          typed={typed}
          onType={setTyped}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Leave it as it is</Button>
          <Button kind="danger" type="submit" disabled={requests.asking !== null}>
            {requests.asking === 'undo' ? back.under : back.act}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
