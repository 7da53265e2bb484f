/** MIME and line-length facts of a perfect email, for tests. */

import type { LineFacts, MimeFacts } from '../../../src/analysis/mime/facts.ts';

export const mime: MimeFacts = {
  mime: {
    structure: 'multipart/alternative(text/plain, text/html)',
    parts: [
      {
        type: 'text/plain',
        charset: 'utf-8',
        encoding: 'quoted-printable',
        size_bytes: 1500,
        disposition: null,
      },
      {
        type: 'text/html',
        charset: 'utf-8',
        encoding: 'quoted-printable',
        size_bytes: 6000,
        disposition: null,
      },
    ],
    depth: 1,
    defects: [],
  },
  attachments: [],
  structureFaults: [],
  fieldsBehind: [],
  charsetFaults: [],
  attachmentFaults: [],
};

export const lines: LineFacts = {
  lines: {
    longestBytes: 78,
    longestHeaderBytes: 78,
    bareNewlines: false,
    nul: false,
    longestIn: 'text/html',
  },
};
