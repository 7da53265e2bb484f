import { smtpClient } from '../../support/mail/smtp-client.ts';
import { serve, startApart } from './apart.ts';

/** Longest wait for a reply, in milliseconds. */
const PATIENCE_MS = 300_000;

interface Upload {
  readonly port: number;
  /** The client that is stated. */
  readonly ip: string;
  readonly address: string;
}

/** Hands over one mail as it is, again and again. */
function createUploader() {
  let mail: Uint8Array = new Uint8Array();
  return {
    setMail: (bytes: Uint8Array) => {
      mail = bytes;
    },
    /** The last reply; one that comes before the mail is marked. */
    async upload({ port, ip, address }: Upload): Promise<string> {
      const client = await smtpClient(port, true, PATIENCE_MS);
      try {
        await client.sendAll(`XCLIENT ADDR=${ip}`, 'EHLO a.example');
        const commands = ['MAIL FROM:<orders@sender.example>', `RCPT TO:<${address}>`, 'DATA'];
        const answer = await client.sendAll(...commands);
        if (!answer.startsWith('354')) return `unsent: ${answer}`;
        client.write(mail);
        client.write('\r\n.\r\n');
        return await client.reply();
      } finally {
        client.vanish();
      }
    },
  };
}

/** Sends large mails from a process of its own: neither measuring nor attacking waits for it. */
export async function startUploader(port: number, mail: Uint8Array) {
  const uploader = await startApart<ReturnType<typeof createUploader>>(import.meta.url);
  await uploader.call('setMail', mail);
  return {
    upload: (ip: string, address: string) => uploader.call('upload', { port, ip, address }),
    stop: () => uploader.stop(),
  };
}

if (import.meta.main) serve(createUploader());
