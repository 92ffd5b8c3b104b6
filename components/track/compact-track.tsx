import { counted, inList } from '#lib/base/words.ts';
import { type CompactStep, compactFrames, groupsOf, layCompactTrack } from './compact-track-layout.ts';
import { Rails } from './rails.tsx';

/** Above this many, posts have no room for their numbers. */
const mostNumbered = 20;

/**
 * A plan in one line: a post a step, in groups; what touches traffic stands taller, has a filled eye and a name. Whoever shows it shows or links the
 * same steps as a list.
 */
export function CompactTrack({ steps }: { steps: readonly CompactStep[] }) {
  if (steps.length === 0) return null;
  const label = sentenceOf(steps);
  return (
    <div className="@container">
      <div className="hidden @min-[640px]:block">
        <Wide steps={steps} label={label} />
      </div>
      <div className="mx-auto max-w-[440px] @min-[640px]:hidden">
        <Narrow steps={steps} label={label} />
      </div>
    </div>
  );
}

function Wide({ steps, label }: { steps: readonly CompactStep[]; label: string }) {
  const { posts, groups } = layCompactTrack(steps, compactFrames.wide);
  return (
    <svg viewBox="0 0 1136 136" width="100%" role="img" aria-label={label} className="block select-none">
      <Rails from={4} to={1132} y={78} />
      {posts.map(({ seq, x, traffic, lines }) => (
        <g key={seq}>
          <path d={`M${x} 74V${traffic ? 26 : 61.5}`} strokeWidth="1.6" className="stroke-rail" />
          <circle
            cx={x}
            cy={traffic ? 18 : 56}
            r={traffic ? 8 : 5.5}
            strokeWidth="1.6"
            className="fill-sheet stroke-rail"
          />
          {traffic && <circle cx={x} cy="18" r="3.8" className="fill-rail" />}
          {lines.map((line, index) => (
            <text key={line} x={x + 14} y={17 + index * 15} fontSize="12" fontWeight="600" className="fill-ink">
              {line}
            </text>
          ))}
          {traffic && (
            <text x={x + 14} y={17 + lines.length * 15} fontSize="11" className="fill-ink-3">
              touches traffic
            </text>
          )}
          {steps.length <= mostNumbered && (
            <text
              x={x}
              y="100"
              fontSize="11"
              textAnchor="middle"
              fontWeight={traffic ? 600 : 400}
              className={traffic ? 'fill-ink' : 'fill-ink-3'}
            >
              {seq}
            </text>
          )}
        </g>
      ))}
      {groups.map(({ name, from, to, seconds }) => (
        <g key={name}>
          <path d={`M${from} 110v4H${to}v-4`} fill="none" className="stroke-edge" />
          <text
            x={middle(from, to, 1136, 60)}
            y="129"
            fontSize="12"
            textAnchor="middle"
            fontWeight="560"
            className="fill-ink-2"
          >
            {name}
            <tspan fontWeight="400" className="fill-ink-3">{` · ${aboutTime(seconds)}`}</tspan>
          </text>
        </g>
      ))}
    </svg>
  );
}

function Narrow({ steps, label }: { steps: readonly CompactStep[]; label: string }) {
  const { posts, groups } = layCompactTrack(steps, compactFrames.narrow);
  return (
    <svg viewBox="0 0 326 88" width="100%" role="img" aria-label={label} className="block select-none">
      <Rails from={4} to={322} y={48} />
      {posts.map(({ seq, x, traffic }) => (
        <g key={seq}>
          <path d={`M${x} 44V${traffic ? 22 : 32}`} strokeWidth="1.6" className="stroke-rail" />
          <circle
            cx={x}
            cy={traffic ? 16 : 28}
            r={traffic ? 6 : 4}
            strokeWidth="1.6"
            className="fill-sheet stroke-rail"
          />
          {traffic && <circle cx={x} cy="16" r="2" className="fill-rail" />}
        </g>
      ))}
      {groups.map(({ name, from, to }) => (
        <g key={name}>
          <path d={`M${from} 64v4H${to}v-4`} fill="none" className="stroke-edge" />
          <text
            x={middle(from, to, 326, 16)}
            y="82"
            fontSize="11"
            textAnchor="middle"
            fontWeight="560"
            className="fill-ink-2"
          >
            {name === 'Clean up' ? 'Clean' : name}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** The middle of a group, so far inside that its name is whole. */
function middle(from: number, to: number, width: number, half: number): number {
  return Math.min(Math.max((from + to) / 2, half), width - half);
}

/** `about 3 min`, `20 s`. */
function aboutTime(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}

/** `14 steps in 4 groups. Steps 7 and 10 touch traffic.` */
function sentenceOf(steps: readonly CompactStep[]): string {
  const traffic = steps.filter((step) => step.traffic).map(({ seq }) => seq);
  const told =
    traffic.length === 0
      ? 'None touches traffic.'
      : traffic.length === 1
        ? `Step ${traffic[0]} touches traffic.`
        : `Steps ${inList(traffic.map(String), traffic.length)} touch traffic.`;
  return `${counted(steps.length, 'step')} in ${counted(groupsOf(steps).length, 'group')}. ${told}`;
}
