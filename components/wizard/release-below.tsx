'use client';

import { useActions } from '#components/actions.tsx';
import { BreakableText } from '#components/ui/breakable-text.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Disclosure } from '#components/ui/disclosure.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { TableBox } from '#components/ui/table-box.tsx';
import { WithCode } from '#components/ui/with-code.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { FileProgress, ReleaseProgress } from '#lib/console/host.ts';
import type { StepPlace } from '#lib/console/wizard/index.ts';
import { PressForm } from './press-form.tsx';
import { useReleaseProgress } from './use-release-progress.ts';

/** The files themselves: how far they are, and what is in them once they are here. */
export function ReleaseBelow({ place, progress: known }: { place: StepPlace; progress: ReleaseProgress }) {
  const progress = useReleaseProgress(place, known);
  const { version } = progress.wanted;
  return (
    <div className="grid gap-4">
      {progress.notice !== null && (
        <Notice state="warn" title={progress.notice}>
          A release with published checksums is verified file by file; the one that is proposed always is.
        </Notice>
      )}
      <Panel title={`Files of ${version}`} aside={<Mark progress={progress} />}>
        <Body place={place} progress={progress} />
      </Panel>
    </div>
  );
}

function Mark({ progress }: { progress: ReleaseProgress }) {
  switch (progress.kind) {
    case 'not-asked':
      return <StateMark state="idle">Not here yet</StateMark>;
    case 'opening':
      return <StateMark state="now">On their way</StateMark>;
    case 'open':
      return <StateMark state="ok">Complete</StateMark>;
    case 'failed':
      return <StateMark state="bad">Not available</StateMark>;
  }
}

function Body({ place, progress }: { place: StepPlace; progress: ReleaseProgress }) {
  const { wanted } = progress;
  switch (progress.kind) {
    case 'not-asked':
      return (
        <div className="grid gap-3 px-4 py-3">
          <p className="text-ink-2">
            The plan, its review and the run are made from these files. Nothing on the cluster is touched by getting
            them.
          </p>
          <Ask action="getRelease" place={place} kind="primary" words={`Get the files of ${wanted.version}`} />
        </div>
      );
    case 'opening':
      return (
        <div className="grid gap-3 px-4 py-3">
          <Files files={progress.files} />
          <Ask action="stopRelease" place={place} kind="plain" words="Stop" />
        </div>
      );
    case 'failed':
      return (
        <div className="grid gap-3 px-4 py-3" role="alert">
          <p className="[overflow-wrap:anywhere]">
            <BreakableText text={progress.message} />
          </p>
          {progress.files.length > 0 && (
            <>
              <Files files={progress.files} />
              {progress.notice === null && (
                <p className="text-sm text-ink-2">
                  The files that arrived are kept: a retry continues with the next one.
                </p>
              )}
            </>
          )}
          <Ask action="getRelease" place={place} kind="plain" words="Try again" />
        </div>
      );
    case 'open':
      return <Open progress={progress} />;
  }
}

function Ask({
  action,
  place,
  kind,
  words,
}: {
  action: 'getRelease' | 'stopRelease';
  place: StepPlace;
  kind: 'primary' | 'plain';
  words: string;
}) {
  return (
    <PressForm action={useActions()[action].bind(null, place)} kind={kind}>
      {words}
    </PressForm>
  );
}

function Files({ files }: { files: readonly FileProgress[] }) {
  if (files.length === 0) return <p className="text-ink-2">Requesting the first file…</p>;
  return (
    <ul className="grid gap-2">
      {files.map(({ file, received, total }) => (
        <li key={file} className="grid gap-1 text-sm">
          <span className="flex flex-wrap justify-between gap-x-4">
            <code>{file}</code>
            <span className="text-ink-2">
              {size(received)}
              {total === null ? '' : ` of ${size(total)}`}
            </span>
          </span>
          <progress
            aria-label={file}
            max={total ?? 1}
            {...(total === null ? {} : { value: received })}
            className="h-1.5 w-full appearance-none overflow-hidden rounded bg-line [&::-moz-progress-bar]:bg-blue [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-blue"
          />
        </li>
      ))}
    </ul>
  );
}

function Open({ progress }: { progress: Extract<ReleaseProgress, { kind: 'open' }> }) {
  const { operator, source, files, images } = progress;
  return (
    <>
      <p className="px-4 py-3 text-ink-2 [overflow-wrap:anywhere]">
        From {source}. They install operator <code className="text-ink">{operator}</code>.
      </p>
      <TableBox label="Files of the release" className="border-t border-line">
        <table>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Objects</th>
              <th scope="col">SHA-256</th>
            </tr>
          </thead>
          <tbody>
            {files.map(({ file, objects, sha256 }) => (
              <tr key={file}>
                <td>
                  <code>{file}</code>
                </td>
                <td>{thousands(objects)}</td>
                <td className="whitespace-nowrap text-ink-2" title={sha256}>
                  <code>{sha256.slice(0, 12)}…</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      <div className="border-t border-line px-4 py-3">
        <Disclosure summary={`${counted(images.images.length, 'image')} for a mirror`}>
          <pre className="rounded border border-line bg-sunk px-3 py-2 whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]">
            {images.images.join('\n')}
          </pre>
          {images.missing !== null && (
            <p className="mt-2 text-sm">
              <StateMark state="unknown">Not all of them</StateMark>{' '}
              <span className="text-ink-2">
                <WithCode text={images.missing} />
              </span>
            </p>
          )}
          <CopyButton text={`${images.images.join('\n')}\n`} of="the list of images" />
        </Disclosure>
      </div>
    </>
  );
}

function size(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_024 * 1_024 ? `${Math.round(bytes / 1_024)} KiB` : `${(bytes / 1_024 / 1_024).toFixed(1)} MiB`;
}
