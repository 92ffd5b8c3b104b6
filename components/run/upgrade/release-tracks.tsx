import { memo } from 'react';
import { Car } from '#components/track/car.tsx';
import { Rails } from '#components/track/rails.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import { type LineNode, type ReleaseLines, settledNodes } from './release-lines.ts';
import { type DrawnLine, layReleases, type ReleaseFrame, reach, releaseFrames } from './release-tracks-layout.ts';

/**
 * One line of track for each release with its nodes. Drawn for five widths of its box, of which one is displayed. A list has the same content for screen
 * readers.
 */
export const ReleaseTracks = memo(function ReleaseTracks({ lines }: { lines: ReleaseLines }) {
  const label = tracksSentence(lines);
  const drawing = (frame: keyof typeof releaseFrames) => (
    <Drawing lines={lines} frame={releaseFrames[frame]} label={label} />
  );
  return (
    <div className="@container">
      <div className="mx-auto max-w-[440px] @min-[640px]:hidden">{drawing('narrow')}</div>
      <div className="hidden @min-[640px]:block @min-[960px]:hidden">{drawing('middle')}</div>
      <div className="hidden @min-[960px]:block @min-[1360px]:hidden">{drawing('wide')}</div>
      <div className="hidden @min-[1360px]:block @min-[1680px]:hidden">{drawing('broad')}</div>
      <div className="hidden max-w-[1900px] @min-[1680px]:block">{drawing('broadest')}</div>
      <ol className="sr-only" aria-label="Nodes by release">
        {lines.lines.map((line) => (
          <li key={line.version}>
            {line.version}
            {line.role === 'hop' ? ', on the way' : ''}: {counted(settledNodes(line), 'node')}
            {namesOf([...line.proven, ...line.refused, ...line.waiting])}
            {line.moving.length > 0 &&
              ` ${counted(line.moving.length, 'node')} on the way to the next${namesOf(line.moving)}`}
          </li>
        ))}
        {lines.unknown.length > 0 && (
          <li>
            Not known: {counted(lines.unknown.length, 'node')}
            {namesOf(lines.unknown)}
          </li>
        )}
      </ol>
    </div>
  );
});

const mostNames = 20;

function namesOf(nodes: readonly LineNode[]): string {
  if (nodes.length === 0) return '.';
  const rest = nodes.length - mostNames;
  const names = nodes.slice(0, mostNames).map(({ name }) => name);
  return `, ${names.join(', ')}${rest > 0 ? ` and ${thousands(rest)} more; the table of nodes has them all` : ''}.`;
}

/** The picture in one sentence: `4 nodes on v3.30.7, 1 moving, 9 nodes on v3.31.4.` */
function tracksSentence({ lines, unknown }: ReleaseLines): string {
  const moving = lines.reduce((sum, line) => sum + line.moving.length, 0);
  const parts = [
    ...lines.map((line) =>
      settledNodes(line) === 0 ? '' : `${counted(settledNodes(line), 'node')} on ${line.version}`,
    ),
    moving === 0 ? '' : `${thousands(moving)} moving`,
    unknown.length === 0 ? '' : `${thousands(unknown.length)} not known`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? `From ${lines.map(({ version }) => version).join(' to ')}.` : `${parts.join(', ')}.`;
}

function Drawing({ lines, frame, label }: { lines: ReleaseLines; frame: ReleaseFrame; label: string }) {
  const { width, height, lines: drawn, cars } = layReleases(lines, frame);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={label} className="block select-none">
      {drawn.map((line, index) => {
        const below = drawn[index + 1];
        return (
          <g key={line.version}>
            <Name line={line} at={frame.labelsAt} />
            <Rails from={line.from} to={line.to} y={line.y} />
            {line.crossing !== null && below !== undefined && <Crossing x={line.crossing} y={line.y} down={below.y} />}
            {line.isLeft && <path d={`M${line.to + 1} ${line.y - 10}v20`} className="stroke-rail" strokeWidth="3.4" />}
            {line.station !== null && <Station station={line.station} y={line.y} />}
          </g>
        );
      })}
      {cars.map((car) => (
        <Car key={car.key} car={car} />
      ))}
    </svg>
  );
}

function Crossing({ x, y, down }: { x: number; y: number; down: number }) {
  return (
    <path
      d={`M${x - reach + 2} ${y - 4}L${x + reach + 6} ${down}M${x - reach - 6} ${y}L${x + reach - 2} ${down + 4}`}
      className="stroke-rail"
      strokeWidth="1.6"
      fill="none"
    />
  );
}

function Station({ station: { from, to, words }, y }: { station: NonNullable<DrawnLine['station']>; y: number }) {
  return (
    <>
      <path
        d={`M${from} ${y - 20}H${to}M${from + 8} ${y - 20}v12M${to - 8} ${y - 20}v12`}
        className="stroke-ink"
        strokeWidth="1.8"
        fill="none"
      />
      <text x={(from + to) / 2} y={y - 27} fontSize="11.5" fontWeight="600" textAnchor="middle" className="fill-ink-2">
        {words}
      </text>
    </>
  );
}

function Name({ line: { version, sub, y, from }, at }: { line: DrawnLine; at: ReleaseFrame['labelsAt'] }) {
  const x = at === 'side' ? 16 : from;
  return (
    <>
      <text x={x} y={at === 'side' ? y - 4 : y - 36} fontSize="12.5" fontWeight="600" className="fill-ink">
        {version}
      </text>
      <text x={x} y={at === 'side' ? y + 12 : y - 20} fontSize="11.5" className="fill-ink-3">
        {sub}
      </text>
    </>
  );
}
