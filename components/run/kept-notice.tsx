import { Notice } from '#components/ui/notice.tsx';
import type { RunRequest } from '#lib/console/host.ts';
import type { WayBackWords } from './way-back-words.ts';

const what: Record<Exclude<RunRequest['action'], 'undo'>, string> = {
  pause: 'Pause',
  resume: 'Resume',
  'take-over': 'Take over',
  stop: 'Stop',
};

/** Confirms a request that was made while the cluster does not answer: it is stored, so the user need not repeat it. */
export function KeptNotice({ action, back }: { action: RunRequest['action']; back: WayBackWords }) {
  const words = action === 'undo' ? back.ask.replace('…', '') : what[action];
  return (
    <div role="status">
      <Notice state="now" title={`${words}: requested, waiting for the API server`}>
        The run does it first once the cluster answers. If this console ends before that, request it again.
      </Notice>
    </div>
  );
}
