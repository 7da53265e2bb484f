import type { MimeTree, PlacedNode } from './tree.ts';

/** Which leaves are read, and which are attached. */
export interface BodyParts {
  readonly text: readonly PlacedNode[];
  readonly html: readonly PlacedNode[];
  readonly attachments: readonly PlacedNode[];
  /** Pictures that the HTML shows. */
  readonly inline: readonly PlacedNode[];
}

const parentOf = (node: PlacedNode, nodes: readonly PlacedNode[]) =>
  node.parent === null ? undefined : nodes[node.parent];

const inAlternative = (node: PlacedNode, nodes: readonly PlacedNode[]) =>
  parentOf(node, nodes)?.type === 'multipart/alternative';

/** Text with a file's name is a file, unless there is nothing else that it could be. */
const isBody = (node: PlacedNode, nodes: readonly PlacedNode[]) =>
  (node.type === 'text/plain' || node.type === 'text/html') &&
  node.disposition !== 'attachment' &&
  (node.fileName === '' || node.parent === null || inAlternative(node, nodes));

/** What belongs to the form of a mail: signatures, and what programs read of a report. */
const FURNITURE = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'application/pgp-encrypted',
  'message/delivery-status',
  'message/global-delivery-status',
  'message/disposition-notification',
  'message/global-disposition-notification',
  'message/feedback-report',
  'message/global-headers',
  'text/rfc822-headers',
]);

/** A calendar alternative, too, is part of the mail rather than a file in it. */
const isFurniture = ({ type, disposition }: PlacedNode, parent: PlacedNode | undefined) =>
  FURNITURE.has(type) || (parent?.type === 'multipart/alternative' && disposition !== 'attachment');

const isInlinePicture = ({ type, contentId, disposition }: PlacedNode) =>
  type.startsWith('image/') &&
  type !== 'image/svg+xml' &&
  contentId !== '' &&
  disposition !== 'attachment';

/** Sorts the leaves of a mail by what they are for. */
export const sortParts = ({ nodes }: MimeTree): BodyParts => {
  const leaves = nodes.filter(({ type }) => !type.startsWith('multipart/'));
  const body = leaves.filter((node) => isBody(node, nodes));
  const html = body.filter(({ type }) => type === 'text/html');
  const firstHtml = html[0];
  const rest = leaves.filter(
    (node) => !body.includes(node) && !isFurniture(node, parentOf(node, nodes)),
  );
  return {
    // A footer that a list added after the HTML is no alternative to it.
    text: body.filter(
      (node) =>
        node.type === 'text/plain' &&
        (!firstHtml || node.start < firstHtml.start || inAlternative(node, nodes)),
    ),
    html,
    attachments: rest.filter((node) => !isInlinePicture(node)),
    inline: rest.filter(isInlinePicture),
  };
};
