import { Token, Tokenizer } from 'parse5';

/** A run of characters that the tokenizer would take one by one. */
const PLAIN = /[^<&\0\r\ud800-\udfff]+/y;

/** The tokenizer of parse5, which takes text up to the next tag at once. */
export class TextTokenizer extends Tokenizer {
  constructor(...args: ConstructorParameters<typeof Tokenizer>) {
    super(...args);
    // What was read is dropped by copying the rest: a part comes as a whole, so that only costs.
    this.preprocessor.bufferWaterline = Number.POSITIVE_INFINITY;
  }

  protected override _stateData(codePoint: number): void {
    const { preprocessor } = this;
    PLAIN.lastIndex = preprocessor.pos;
    const chars = PLAIN.exec(preprocessor.html)?.[0];
    if (chars === undefined) {
      super._stateData(codePoint);
      return;
    }
    this._emitCurrentCharacterToken(null);
    this.handler.onCharacter({ type: Token.TokenType.CHARACTER, chars, location: null });
    preprocessor.pos += chars.length - 1;
  }
}
