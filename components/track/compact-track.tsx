import { counted, duration, inList, thousands } from '#lib/base/words.ts';
import {
  type CompactFrame,
  type CompactStep,
  compactFrames,
  groupsOf,
  layCompactTrack,
  type PlacedPost,
} from './compact-track-layout.ts';
import { Rails } from './rails.tsx';
import { SignalLamp } from './signal.tsx';
import { type SignalState, signalWords } from './signal-words.ts';
import { TrainChip } from './train-chip.tsx';

/** With more posts, there is no room for their numbers. */
const mostNumbered = 20;

/**
 * A plan or a run in one line: one post per step, in groups; steps that touch traffic are taller, with a filled eye and a name. Pages must also show or link the steps
 * as a list. `train`: the chip's words at the step in progress; null: no chip.
 */
export function CompactTrack({ steps, train = null }: { steps: readonly CompactStep[]; train?: string | null }) {
  if (steps.length === 0) return null;
  const label = sentenceOf(steps);
  return (
    <div className="@container">
      <div className="hidden @min-[640px]:block @min-[1360px]:hidden">
        <Wide steps={steps} label={label} train={train} frame={compactFrames.wide} />
      </div>
      <div className="hidden @min-[1360px]:block @min-[1600px]:hidden">
        <Wide steps={steps} label={label} train={train} frame={compactFrames.broad} />
      </div>
      <div className="hidden @min-[1600px]:block">
        <Wide steps={steps} label={label} train={train} frame={compactFrames.broadest} />
      </div>
      <div className="mx-auto max-w-[440px] @min-[640px]:hidden">
        <Narrow steps={steps} label={label} />
      </div>
    </div>
  );
}

type WideProps = { steps: readonly CompactStep[]; label: string; train: string | null; frame: CompactFrame };

function Wide({ steps, label, train, frame }: WideProps) {
  const { posts, groups } = layCompactTrack(steps, frame);
  const here = posts.find(isHere);
  return (
    <svg viewBox={`0 0 ${frame.width} 136`} width="100%" role="img" aria-label={label} className="block select-none">
      <Rails from={4} to={frame.width - 4} y={78} />
      {posts.map((post) => (
        <g key={post.seq}>
          <Post post={post} foot={74} y={post.traffic ? 18 : 56} radius={post.traffic ? 8 : 5.5} />
          {post.lines.map((line, index) => (
            <text key={line} x={post.x + 14} y={17 + index * 15} fontSize="12" fontWeight="600" className="fill-ink">
              {line}
            </text>
          ))}
          {post.traffic && post.lines.length < 2 && (
            <text x={post.x + 14} y={17 + post.lines.length * 15} fontSize="11" className="fill-ink-3">
              {post.state === undefined || post.state === 'ahead' ? 'touches traffic' : signalWords[post.state]}
            </text>
          )}
          {steps.length <= mostNumbered && (
            <text
              x={post.x}
              y="100"
              fontSize="11"
              textAnchor="middle"
              fontWeight={post.traffic || isHere(post) ? 600 : 400}
              className={post.traffic || isHere(post) ? 'fill-ink' : 'fill-ink-3'}
            >
              {post.seq}
            </text>
          )}
        </g>
      ))}
      {train !== null && here !== undefined && (
        <TrainChip
          name={train}
          x={Math.min(Math.max(here.x, 34), frame.width - 34)}
          y={78}
          state={here.state === 'stopped' ? 'stopped' : 'moving'}
        />
      )}
      {groups.map(({ name, from, to, seconds }) => (
        <g key={name}>
          <path d={`M${from} 110v4H${to}v-4`} fill="none" className="stroke-edge" />
          <text
            x={middle(from, to, frame.width, 60)}
            y="129"
            fontSize="12"
            textAnchor="middle"
            fontWeight="560"
            className="fill-ink-2"
          >
            {name}
            {seconds !== null && (
              <tspan fontWeight="400" className="fill-ink-3">
                {` · ${steps.every(({ state }) => state !== undefined) ? took(seconds) : aboutTime(seconds)}`}
              </tspan>
            )}
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
      {posts.map((post) => (
        <Post key={post.seq} post={post} foot={44} y={post.traffic ? 16 : 28} radius={post.traffic ? 6 : 4} />
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

/** A post with its lamp at `y` (px). Steps ahead that touch traffic have an eye. */
function Post({ post, foot, y, radius }: { post: PlacedPost; foot: number; y: number; radius: number }) {
  const { x, traffic, title, state = 'ahead' } = post;
  return (
    <g>
      <title>{post.state === undefined ? title : `${title}: ${signalWords[state]}`}</title>
      <path d={`M${x} ${foot}V${y + radius}`} strokeWidth="1.6" className="stroke-rail" />
      <g transform={`translate(${x} ${y}) scale(${radius / 8})`}>
        <SignalLamp state={state} />
        {traffic && state === 'ahead' && <circle r="3.8" className="fill-rail" />}
      </g>
    </g>
  );
}

/** The position of a group's name: its middle, moved inside the drawing so that the name fits. */
function middle(from: number, to: number, width: number, half: number): number {
  return Math.min(Math.max((from + to) / 2, half), width - half);
}

/** `about 3 min`, `20 s`. */
function aboutTime(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `about ${Math.round(seconds / 60)} min`;
}

function isHere({ state }: Pick<CompactStep, 'state'>): boolean {
  return state === 'train' || state === 'stopped';
}

/** `14 steps in 4 groups. Steps 7 and 10 touch traffic.`, and of a run where it is before: `Step 8 of 14, Wait …: under way. 7 done, 6 ahead.` */
function sentenceOf(steps: readonly CompactStep[]): string {
  const traffic = steps.filter((step) => step.traffic).map(({ seq }) => seq);
  const trafficSentence =
    traffic.length === 0
      ? 'None touches traffic.'
      : traffic.length === 1
        ? `Step ${traffic[0]} touches traffic.`
        : `Steps ${inList(traffic.map(String), traffic.length)} touch traffic.`;
  const here = steps.find(isHere);
  const lead = here?.state === undefined ? '' : `Step ${here.seq}, ${here.title}: ${signalWords[here.state]}. `;
  return `${lead}${countsOf(steps)}${counted(steps.length, 'step')} in ${counted(groupsOf(steps).length, 'group')}. ${trafficSentence}`;
}

function countsOf(steps: readonly CompactStep[]): string {
  const states: readonly SignalState[] = ['behind', 'undone', 'unknown', 'ahead'];
  const parts = states.flatMap((state) => {
    const count = steps.filter((step) => step.state === state).length;
    return count === 0 ? [] : [`${thousands(count)} ${signalWords[state]}`];
  });
  return parts.length === 0 ? '' : `${parts.join(', ')}. `;
}

/** The duration of an operation in words. */
function took(seconds: number): string {
  return seconds < 1 ? 'under 1 s' : duration(seconds);
}
