import type { Command } from '../command.ts';
import { usedFlags } from '../flags.ts';

/** Words only, no code from the outside: names of commands and flags are ours. */
export function bashCompletion(commands: readonly Command[]): string {
  return `# bash completion for signalbox: source <(signalbox completion bash)
_signalbox() {
  local current=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((one) => one.name).join(' ')}" -- "$current"))
    return
  fi
  case $command in
${commands.map((one) => `    ${one.name}) COMPREPLY=($(compgen -W "${flagWords(one).join(' ')}" -- "$current")) ;;`).join('\n')}
  esac
}
complete -o default -F _signalbox signalbox`;
}

export function zshCompletion(commands: readonly Command[]): string {
  return `#compdef signalbox
# zsh completion for signalbox: source <(signalbox completion zsh)
_signalbox() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map((one) => `      ${single(`${one.name}:${one.summary}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  case $words[2] in
${commands.map((one) => `    ${one.name}) _values flag ${flagWords(one).map(single).join(' ')} ; _files ;;`).join('\n')}
  esac
}
compdef _signalbox signalbox`;
}

export function fishCompletion(commands: readonly Command[]): string {
  return [
    '# fish completion for signalbox: signalbox completion fish | source',
    ...commands.map((one) => `complete -c signalbox -n __fish_use_subcommand -a ${one.name} -d ${single(one.summary)}`),
    ...commands.flatMap((one) =>
      usedFlags(one.flags).map(
        ([name, flag]) =>
          `complete -c signalbox -n '__fish_seen_subcommand_from ${one.name}' -l ${name}${flag.short ? ` -s ${flag.short}` : ''}${flag.value ? ' -r' : ''} -d ${single(flag.help)}`,
      ),
    ),
  ].join('\n');
}

function flagWords(command: Command): string[] {
  return usedFlags(command.flags).map(([name]) => `--${name}`);
}

function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
