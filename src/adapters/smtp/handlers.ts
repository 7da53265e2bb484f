import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type {
  SMTPServerAddress,
  SMTPServerAddressArgs,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server';
import { type MailVerdict, toReply, verdict } from '../../domain/replies.ts';
import type { MailEnvelope, Receiver } from '../../ports/mail.ts';
import { inRanges, toMailbox } from './addresses.ts';
import { toClientFacts } from './client-facts.ts';
import { type MinimumRate, requireRate } from './minimum-rate.ts';
import type { Peer, Peers } from './peers.ts';

/** Nobody logs in, and nobody but a trusted relay states another client. */
export const DISABLED = ['AUTH', 'XFORWARD'];

type Done = (error?: Error | null) => void;

interface Ports {
  readonly receiver: Receiver;
  /** Not before the server is made. */
  readonly peers: () => Peers;
  readonly isStopping: () => boolean;
}

interface Settings {
  readonly maxClientsPerIp: number;
  readonly xclientFrom: readonly string[];
  readonly minimumRate: MinimumRate;
}

/** What the library does with an error: its code and its text are the reply. */
const asError = (answer: MailVerdict) => {
  const { code, text } = toReply(answer);
  return Object.assign(new Error(text), { responseCode: code });
};

/** The steps of a session, worded for the library. */
export function createHandlers(
  { receiver, peers, isStopping }: Ports,
  { maxClientsPerIp, xclientFrom, minimumRate }: Settings,
) {
  const mayState = inRanges(xclientFrom);

  function onConnect(session: SMTPServerSession, done: Done) {
    if (isStopping()) return done(asError(verdict('stopping')));
    if (peers().countFrom(session.remoteAddress) >= maxClientsPerIp)
      return done(asError(verdict('too_many_connections')));
    // The session's list replaces the server's.
    if (!mayState(session.remoteAddress)) session.disabledCommands = [...DISABLED, 'XCLIENT'];
    peers().add(session);
    done();
  }

  function onSecure(socket: Socket, session: SMTPServerSession, done: Done) {
    const peer = peers().get(session);
    // The cipher's own `version` is the oldest it is allowed in, not the one in use.
    if (peer && socket instanceof TLSSocket) peer.tlsVersion = socket.getProtocol();
    done();
  }

  function onMailFrom(address: SMTPServerAddress, session: SMTPServerSession, done: Done) {
    const peer = peers().get(session);
    if (!peer || isStopping()) return done(asError(verdict('stopping')));
    peers().settle(peer);
    peer.activeAt = performance.now();
    done(toMailbox(address.address) ? null : asError(verdict('bad_sender')));
  }

  async function accept(to: SMTPServerAddress, peer: Peer): Promise<MailVerdict | null> {
    const { session } = peer;
    peer.activeAt = performance.now();
    if (peer.transaction) return verdict('second_recipient');

    const envelope = toEnvelope(to, peer);
    if (!envelope) return verdict('bad_recipient');
    const answer = await receiver.accept(envelope);
    if ('reply' in answer) return answer;
    if (peers().get(session) !== peer) {
      answer.abandon();
      return verdict('temporary_failure');
    }
    peer.transaction = {
      envelope: session.envelope,
      reception: answer,
      begunAt: performance.now(),
    };
    return null;
  }

  async function receive(content: SMTPServerDataStream, peer: Peer): Promise<MailVerdict> {
    const { transaction, session } = peer;
    if (!transaction) return verdict('temporary_failure');
    peer.receiving = true;
    peer.transaction = null;
    const chunks = requireRate(content, minimumRate, () => peers().cut(session));
    const answer = await transaction.reception.receive(chunks);
    // Nobody reads this one.
    return answer ?? verdict('temporary_failure');
  }

  return {
    onConnect,
    onSecure,
    onMailFrom,
    onRcptTo(address, session, done) {
      const peer = peers().get(session);
      if (!peer) return done(asError(verdict('temporary_failure')));
      answering(accept(address, peer), (answer) => done(answer && asError(answer)));
    },
    onData(content, session, done) {
      const peer = peers().get(session);
      if (!peer) return done(asError(verdict('temporary_failure')));
      answering(receive(content, peer), (answer) => {
        peer.receiving = false;
        peer.activeAt = performance.now();
        const { code, text } = toReply(answer ?? verdict('temporary_failure'));
        if (code === 250) done(null, text);
        else done(Object.assign(new Error(text), { responseCode: code }));
        if (isStopping()) peers().dismiss(peer, toReply(verdict('stopping')));
      });
    },
    onClose(session: SMTPServerSession) {
      peers().remove(session);
    },
  } satisfies SMTPServerOptions;
}

/** A defect must not leave a client without a reply. */
function answering(
  work: Promise<MailVerdict | null>,
  reply: (answer: MailVerdict | null) => void,
): void {
  work.then(reply, () => reply(verdict('temporary_failure')));
}

function toEnvelope(
  to: SMTPServerAddress,
  { session, tlsVersion }: Peer,
): MailEnvelope | undefined {
  const { mailFrom, smtpUtf8 } = session.envelope;
  const recipient = toMailbox(to.address);
  const sender = mailFrom && toMailbox(mailFrom.address);
  if (!recipient || !sender) return undefined;
  const declared = Number(argsOf(mailFrom).SIZE ?? 0);
  return {
    to: recipient,
    from: { ...sender, smtputf8: smtpUtf8 === true },
    client: toClientFacts(session, tlsVersion),
    declaredBytes: declared > 0 ? declared : null,
    source: 'smtp',
  };
}

const argsOf = ({ args }: SMTPServerAddress): SMTPServerAddressArgs => args || {};
