/** Why a request is refused: `invalid` by what it asks, `exhausted` because of others, or of how slowly it is read. */
export class AggregatorRefusal extends Error {
  readonly code: 'invalid' | 'exhausted';

  constructor(code: 'invalid' | 'exhausted', message: string) {
    super(message);
    this.code = code;
  }
}
