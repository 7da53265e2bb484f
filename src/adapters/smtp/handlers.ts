/**
 * Handles the steps of an SMTP session (connection, TLS, MAIL, RCPT and DATA), as callbacks of the
 * smtp-server library.
 */

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type {
  SMTPServerAddress,
  SMTPServerAddressArgs,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server';
import { type MailVerdict, type SmtpReply, toReply, verdict } from '../../domain/replies.ts';
import type { MailEnvelope, Receiver } from '../../ports/mail.ts';
import { toClientFacts, toMailbox } from './addresses.ts';
import { type MinimumRate, requireRate } from './minimum-rate.ts';
import type { Peer, Peers } from './peers.ts';
import { followNamedClients, forbiddenCommands } from './relays.ts';
import type { SmtpConnection } from './smtp-connection.ts';
import { createRecipientGuard } from './wasted-recipients.ts';

/**
 * Makes a connection refuse a command instead of carrying it out.
 *
 * @param refusal returns the refusal of the current command, or `undefined` to carry it out
 */
function guardCommands(connection: SmtpConnection, refusal: () => SmtpReply | undefined): void {
  const carryOut = connection._onCommand.bind(connection);
  connection._onCommand = (command, callback) => {
    const reply = refusal();
    if (reply) connection.send(reply.code, reply.text);
    else carryOut(command, callback);
  };
}

type Done = (error?: Error | null) => void;

interface Ports {
  readonly receiver: Receiver;
  /** Returns the open connections. Call it only after the server has been created. */
  readonly peers: () => Peers;
  readonly isStopping: () => boolean;
}

interface Settings {
  /** How much each unknown recipient adds to the wait for the reply, in milliseconds. */
  readonly unknownDelayMs: number;
  readonly minimumRate: MinimumRate;
}

/** The library turns an error into a reply: its code and its text. */
const asError = (answer: MailVerdict) => {
  const { code, text } = toReply(answer);
  return Object.assign(new Error(text), { responseCode: code });
};

/** Creates the handlers of a session's steps, in the form that the library expects. */
export function createHandlers(
  { receiver, peers, isStopping }: Ports,
  { unknownDelayMs, minimumRate }: Settings,
) {
  const recipients = createRecipientGuard(unknownDelayMs);

  function onConnect(session: SMTPServerSession, done: Done) {
    const peer = peers().get(session);
    if (!peer || isStopping()) return done(asError(verdict('stopping')));
    session.disabledCommands = forbiddenCommands(peer.command);
    if (peer.command) followNamedClients(peer.connection, () => peers().follow(peer));
    guardCommands(peer.connection, () => refuseCommand(peer));
    done();
  }

  /**
   * A client that sends commands but no email is dismissed, and sooner if its other connections were
   * dismissed.
   */
  function refuseCommand(peer: Peer) {
    peer.commands += 1;
    const isIdle = recipients.isIdle(peer.commands, peer.path, performance.now());
    return isIdle ? toReply(verdict('too_many_commands')) : undefined;
  }

  function onSecure(socket: Socket, session: SMTPServerSession, done: Done) {
    const peer = peers().get(session);
    // The cipher's own `version` is the oldest that allows it, not the one in use.
    if (peer && socket instanceof TLSSocket) peer.tlsVersion = socket.getProtocol();
    socket.allowHalfOpen = true;
    done();
  }

  function onMailFrom(address: SMTPServerAddress, session: SMTPServerSession, done: Done) {
    const peer = peers().get(session);
    if (!peer || isStopping()) return done(asError(verdict('stopping')));
    if (peer.command) peers().follow(peer);
    peers().endGivenUp(peer);
    if (recipients.isSpent(peer.wasted)) return done(asError(verdict('too_many_recipients')));
    if (hasUnknown(address, MAIL_PARAMETERS)) return done(asError(verdict('unknown_parameter')));
    done(toMailbox(address.address) ? null : asError(verdict('bad_sender')));
  }

  async function accept(to: SMTPServerAddress, peer: Peer): Promise<MailVerdict | null> {
    const { session } = peer;
    if (peer.transaction)
      return session.envelope.rcptTo.some(({ address }) => isSame(address, to.address))
        ? null
        : verdict('second_recipient');
    if (hasUnknown(to, NO_PARAMETERS)) return verdict('unknown_parameter');

    const envelope = toEnvelope(to, peer);
    const giveWay = (reason: MailVerdict) => peers().dismiss(peer, toReply(reason));
    const answer = envelope ? await receiver.accept(envelope, giveWay) : verdict('bad_recipient');
    if ('reply' in answer) return refuse(answer, peer);
    if (peers().get(session) !== peer) {
      answer.abandon();
      return verdict('temporary_failure');
    }
    peer.transaction = {
      envelope: session.envelope,
      reception: answer,
    };
    peer.since = performance.now();
    return null;
  }

  /**
   * People mistype. A client that tries many recipients waits longer for each reply, and is then dismissed.
   */
  async function refuse(answer: MailVerdict, peer: Peer): Promise<MailVerdict> {
    if (!recipients.isUnknown(answer.reply)) return answer;
    peer.wasted += 1;
    if (recipients.isSpent(peer.wasted) || recipients.isTooMany(peer, performance.now()))
      return verdict('too_many_recipients');
    await recipients.delay(peer.wasted);
    return answer;
  }

  async function receive(content: SMTPServerDataStream, peer: Peer): Promise<MailVerdict> {
    const { transaction } = peer;
    if (!transaction) return verdict('temporary_failure');
    peer.receiving = true;
    peer.transaction = null;
    const chunks = requireRate(content, minimumRate, {
      onChunk: (bytes) => peer.sent.add(bytes, performance.now()),
      onWhole: () => peers().onWhole(peer),
      onSlow: () => peers().dismiss(peer, toReply(verdict('too_slow'))),
      cut: () => peers().cut(peer),
    });
    const answer = await transaction.reception.receive(chunks);
    // If there is no verdict, the content broke off, and nobody reads this reply.
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
        const { code, text } = toReply(answer ?? verdict('temporary_failure'));
        if (code === 250) done(null, text);
        else done(Object.assign(new Error(text), { responseCode: code }));
        if (isStopping()) peers().dismiss(peer, toReply(verdict('stopping')));
        else peers().begin(peer);
      });
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

function toEnvelope(to: SMTPServerAddress, peer: Peer): MailEnvelope | undefined {
  const { session } = peer;
  const { mailFrom } = session.envelope;
  const recipient = toMailbox(to.address);
  const sender = mailFrom && toMailbox(mailFrom.address);
  if (!recipient || !sender) return undefined;
  const declared = Number(argsOf(mailFrom).SIZE ?? 0);
  return {
    to: recipient,
    // The library keeps SMTPUTF8 of a refused MAIL FROM.
    from: { ...sender, smtputf8: 'SMTPUTF8' in argsOf(mailFrom) },
    client: toClientFacts(session, peer),
    declaredBytes: declared > 0 ? declared : null,
    source: 'smtp',
  };
}

/** Parameters of the extensions that EHLO offers: SIZE, 8BITMIME and SMTPUTF8 (RFC 5321 §4.1.1.11). */
const MAIL_PARAMETERS: ReadonlySet<string> = new Set(['SIZE', 'BODY', 'SMTPUTF8']);
const NO_PARAMETERS: ReadonlySet<string> = new Set();

const hasUnknown = (address: SMTPServerAddress, known: ReadonlySet<string>) =>
  Object.keys(argsOf(address)).some((name) => !known.has(name));

/** Clients repeat a recipient that is both in To and in Cc. The letter case of a test's address is ignored. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const argsOf = ({ args }: SMTPServerAddress): SMTPServerAddressArgs => args || {};
