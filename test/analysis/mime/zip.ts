/** Builds ZIP files for the tests of attachments. */

/** Returns a ZIP file of empty entries, because only its directory matters here. */
export const zip = (
  entries: readonly { readonly name: string; readonly encrypted?: boolean }[],
): Buffer => {
  const local = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
  const directory = Buffer.concat(
    entries.map(({ name, encrypted }) => {
      const head = Buffer.alloc(46);
      head.writeUInt32LE(0x02014b50, 0);
      head.writeUInt16LE(encrypted ? 1 : 0, 8);
      head.writeUInt16LE(Buffer.byteLength(name), 28);
      return Buffer.concat([head, Buffer.from(name)]);
    }),
  );
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
};
