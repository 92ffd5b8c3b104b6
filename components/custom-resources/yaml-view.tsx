'use client';

import { type ComponentType, useCallback, useEffect, useId, useState } from 'react';
import { useTakeOver } from '#components/ui/browser/use-take-over.ts';
import { inputLook } from '#components/ui/field.tsx';
import { type FieldSchema, type InstallationProblem, readDocument } from '#lib/installation/in-browser.ts';
import type { YamlEditorProps } from './yaml-editor.tsx';

const label = 'Installation, as YAML';

/** The whole document as text. The editor is loaded on demand; until then, or if that fails, a plain text field is shown. */
export function YamlView({
  text,
  schema,
  judge,
  onChange,
  reveal,
}: {
  text: string;
  schema: FieldSchema | null;
  judge: (spec: unknown) => readonly InstallationProblem[];
  onChange: (text: string) => void;
  reveal: YamlEditorProps['reveal'];
}) {
  const takeOver = useTakeOver();
  const hint = useId();
  const [Editor, setEditor] = useState<ComponentType<YamlEditorProps> | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    import('./yaml-editor.tsx').then(
      ({ YamlEditor }) => setEditor(() => YamlEditor),
      () => setFailed(true),
    );
  }, []);
  const diagnose = useCallback<YamlEditorProps['diagnose']>((typed) => diagnosticsOf(typed, judge), [judge]);
  return (
    <div>
      {Editor === null ? (
        <textarea
          className={`${inputLook} h-96 font-mono text-sm`}
          aria-label={label}
          aria-describedby={hint}
          spellCheck={false}
          autoCapitalize="none"
          ref={takeOver}
          value={text}
          onChange={({ target: { value } }) => onChange(value)}
        />
      ) : (
        <Editor {...{ text, label, describedBy: hint, schema, diagnose, onChange, reveal }} />
      )}
      <p id={hint} className="mt-1 text-sm text-ink-2">
        {Editor === null
          ? hasFailed && 'The editor could not be loaded. You can type in this field instead.'
          : 'Tab indents; press Escape, then Tab, to leave. Control+Space lists the fields of this release.'}
      </p>
    </div>
  );
}

function diagnosticsOf(
  text: string,
  judge: (spec: unknown) => readonly InstallationProblem[],
): ReturnType<YamlEditorProps['diagnose']> {
  const read = readDocument(text);
  if (!read.ok) return read.problems.map(({ from, to, words }) => ({ from, to, severity: 'error', message: words }));
  return judge(read.document.spec).map(({ path, severity, words }) => {
    const { from, to } = read.document.rangeOf(path);
    return { from, to, severity, message: words };
  });
}
