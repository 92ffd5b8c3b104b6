'use client';

import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { useActions } from '#components/actions.tsx';
import { Button } from '#components/ui/button.tsx';
import { inputLook } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Segments } from '#components/ui/segments.tsx';
import { useFieldError } from '#components/wizard/step/server-errors.ts';
import { useTellTrouble } from '#components/wizard/step/typed-trouble.tsx';
import { counted } from '#lib/base/words.ts';
import type { InstallationStepData, StepPlace, Values } from '#lib/console/wizard/index.ts';
import {
  type FieldSchema,
  type InstallationProblem,
  type Path,
  readDocument,
  writeDocument,
} from '#lib/installation/in-browser.ts';
import type { installationProblems } from '#lib/installation/installation-problems.ts';
import { type Spec, withValue } from './edit-spec.ts';
import { ImagesForm } from './images-form.tsx';
import { NodesForm } from './nodes-form.tsx';
import { PoolsForm } from './pools-form.tsx';
import { ProblemList } from './problem-list.tsx';
import { fieldId, SpecEditingProvider } from './spec-editing.tsx';
import type { YamlEditorProps } from './yaml-editor.tsx';
import { YamlView } from './yaml-view.tsx';

type View = 'form' | 'yaml';

/**
 * The Installation as a form for common fields and as YAML. Both edit one text, the field `yaml`; empty means as proposed, so that the proposal follows other
 * answers until it is edited.
 */
export function ResourcesFields({
  place,
  data,
  saved,
}: {
  place: StepPlace;
  data: InstallationStepData;
  saved: Values;
}) {
  const { control } = useFormContext<Values>();
  const { field } = useController<Values>({ name: 'yaml', control, defaultValue: saved.yaml ?? '' });
  const error = useFieldError('yaml');
  const [view, setView] = useState<View>('form');
  const [reveal, setReveal] = useState<YamlEditorProps['reveal']>(null);
  const schema = useFieldsOfRelease(place, view === 'yaml');

  const typed = field.value ?? '';
  const text = typed === '' ? data.proposal : typed;
  const read = useMemo(() => readDocument(text), [text]);
  const proposed = useMemo(() => specIn(data.proposal), [data.proposal]);
  const write = (next: string) => field.onChange(next === data.proposal ? '' : next);

  const judged = useDeferredValue(text);
  // The server has validated with the release's schema too.
  const isJudged = schema === null && judged === (saved.yaml || data.proposal);
  const problemsOf = useJudge(!isJudged || view === 'yaml');
  const judge = useCallback(
    (spec: unknown): InstallationProblem[] =>
      problemsOf?.(withSettings(spec, data.set), { ...data.around, ...(schema ? { schema } : {}) }) ?? [],
    [data, schema, problemsOf],
  );
  const problems = useMemo(() => {
    if (isJudged || problemsOf === null) return data.problems;
    const document = readDocument(judged);
    return document.ok ? judge(document.document.spec) : [];
  }, [isJudged, problemsOf, judged, judge, data.problems]);

  const refused = new Set(problems.filter(({ severity }) => severity === 'error').map((one) => one.field)).size;
  const unreadable = read.ok ? null : read.problems[0].sentence;
  useTellTrouble(unreadable ?? (refused > 0 ? `${counted(refused, 'field')} to fix` : null));

  const show = (path: Path) => {
    const input = view === 'form' ? inputAt(path) : null;
    if (input) {
      input.focus();
      return;
    }
    setView('yaml');
    if (read.ok) setReveal(read.document.rangeOf(path));
  };

  return (
    <section id="yaml" tabIndex={-1} aria-label="Installation" className="grid grid-cols-1 gap-4">
      <noscript>
        <label htmlFor="yaml-plain" className="mb-1 block font-[560]">
          Installation, as YAML
        </label>
        <textarea id="yaml-plain" name="yaml" className={`${inputLook} h-96 font-mono text-sm`} defaultValue={text} />
      </noscript>
      <div className="flex flex-wrap items-center justify-between gap-2 noscript:hidden">
        <Segments label="How to edit the Installation" choices={views} chosen={view} onChoose={setView} />
        {typed !== '' && (
          <Button kind="quiet" onClick={() => field.onChange('')}>
            Use the proposal again
          </Button>
        )}
      </div>
      {view === 'yaml' && (
        <p aria-live="polite" className="text-sm font-[560] text-red empty:-mb-4">
          {unreadable ?? error}
        </p>
      )}
      <div className="contents noscript:hidden">
        <ProblemList
          problems={read.ok ? problems : []}
          lineOf={view === 'yaml' && read.ok ? (path) => read.document.rangeOf(path).line : null}
          go={show}
        />
        {view === 'yaml' && <YamlView text={text} schema={schema} judge={judge} onChange={write} reveal={reveal} />}
        {view === 'form' && !read.ok && (
          <Notice
            state="bad"
            title="The YAML cannot be read, so there is no form to show."
            actions={<Button onClick={() => setView('yaml')}>Fix it in the YAML</Button>}
          >
            {read.problems[0].sentence}
          </Notice>
        )}
        {view === 'form' && read.ok && (
          <SpecEditingProvider
            value={{
              spec: read.document.spec,
              proposed,
              problems,
              reasons: data.reasons,
              change: (spec) => write(writeDocument(spec, text)),
            }}
          >
            <PoolsForm nodeCount={data.around.nodeCount} />
            <NodesForm />
            <ImagesForm images={data.images} />
          </SpecEditingProvider>
        )}
      </div>
    </section>
  );
}

const views: readonly { value: View; words: string }[] = [
  { value: 'form', words: 'Form' },
  { value: 'yaml', words: 'YAML' },
];

/** The validation, loaded once something was edited; until then the server's problems are shown. */
function useJudge(isWanted: boolean): Judge | null {
  const [judge, setJudge] = useState<Judge | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    // If the import fails, the server still validates the saved resources.
    import('#lib/installation/installation-problems.ts').then(
      ({ installationProblems }) => !isGone && setJudge(() => installationProblems),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return judge;
}
type Judge = typeof installationProblems;

/** The release's schema, loaded when the YAML is opened, because it is as large as the rest of the page. */
function useFieldsOfRelease({ cluster, draft, step }: StepPlace, isWanted: boolean): FieldSchema | null {
  const { fieldsOfRelease } = useActions();
  const [schema, setSchema] = useState<FieldSchema | null>(null);
  useEffect(() => {
    if (!isWanted || schema !== null) return;
    let isGone = false;
    // Without it there is no completion; the server still validates.
    fieldsOfRelease({ cluster, draft, step }).then(
      (answer) => !isGone && answer.ok && setSchema(answer.value),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [cluster, draft, step, isWanted, schema, fieldsOfRelease]);
  return schema;
}

function specIn(text: string): Spec {
  const read = readDocument(text);
  return read.ok ? read.document.spec : {};
}

/** The spec with fields that other answers and the command line set. */
function withSettings(spec: unknown, set: Readonly<Record<string, unknown>>): unknown {
  if (typeof spec !== 'object' || spec === null) return spec;
  return Object.entries(set).reduce<Spec>(
    (changed, [path, value]) => withValue(changed, path.split('.'), value),
    Object.fromEntries(Object.entries(spec)),
  );
}

/** The input of a field, or of its nearest parent in the form. */
function inputAt(path: Path): HTMLElement | null {
  for (let length = path.length; length > 0; length--) {
    const found = document.getElementById(fieldId(path.slice(0, length)));
    if (found) return found;
  }
  return null;
}
