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

/** Signatures and calendar alternatives are part of the mail rather than files in it. */
const isFurniture = ({ type, disposition }: PlacedNode, parent: PlacedNode | undefined) =>
  type === 'application/pgp-signature' ||
  type === 'application/pkcs7-signature' ||
  type === 'application/x-pkcs7-signature' ||
  type === 'message/delivery-status' ||
  type === 'text/rfc822-headers' ||
  (parent?.type === 'multipart/alternative' && disposition !== 'attachment');

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
