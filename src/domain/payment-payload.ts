/** Reads the payment in a `PAYMENT-SIGNATURE` header (x402 v2). */

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Errors } from '@sinclair/typebox/errors';
import { guard } from './guard.ts';
import { isShowable, type MemberFault, showMember } from './member-fault.ts';
import type { Authorization } from './x402.ts';

/** A member's description completes the response to a wrong value: "expected …". */
const text = (description: string) => Type.String({ description });
const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const orNull = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description: `${schema.description}` }));

/** Any value that the official code converts to a number: decimal or hex text, or a JSON integer. */
const Uint = Type.Union(
  [Type.String({ pattern: '^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$' }), Type.Integer({ minimum: 0 })],
  { description: 'a whole number in decimal digits, as text' },
);
const Address = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: '0x and 40 hex digits',
});

/** The client's choice among `accepts`. `judgePayment` decides what it must be. */
const Accepted = Type.Object(
  {
    scheme: text('"exact"'),
    network: text('a chain id (CAIP-2)'),
    amount: Type.Optional(text('a whole number in decimal digits, as text')),
    asset: Type.Optional(text('the address of the asset')),
    payTo: Type.Optional(text('the address of the payee')),
    maxTimeoutSeconds: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'a number of seconds above 0' }),
    ),
    extra: orNull(record('an object')),
  },
  { description: 'one of the `accepts` options of PAYMENT-REQUIRED' },
);

/** Members that are not named here are ignored, as in the official code. */
const Envelope = Type.Object({
  x402Version: Type.Literal(2, { description: '2' }),
  accepted: Accepted,
  payload: record('an object with `signature` and `authorization`'),
  /** The server's own extensions, as the client echoed them. */
  extensions: orNull(record('an object')),
});

/**
 * The signed EIP-3009 authorization. The signature is 65 bytes from an ordinary wallet, some hundred from a
 * smart one, and below 2,000 from one that is not deployed yet.
 */
const Eip3009Payload = Type.Object({
  signature: Type.String({
    pattern: '^0x([0-9a-fA-F]{2}){65,2048}$',
    description: '0x and 65 to 2048 bytes in hex',
  }),
  authorization: Type.Object(
    {
      from: Address,
      to: Address,
      value: Uint,
      validAfter: Uint,
      validBefore: Uint,
      nonce: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', description: '0x and 64 hex digits' }),
    },
    { description: 'the signed EIP-3009 authorization' },
  ),
});

/** The content of `PAYMENT-SIGNATURE` as far as we use it, with its numbers in one spelling. */
export type PaymentPayload =
  | (Omit<Static<typeof Envelope>, 'payload'> & {
      /**
       * `undefined` for another way to pay (Permit2, ERC-7710), which is known well enough to be refused by
       * name.
       */
      readonly signed: SignedAuthorization | undefined;
    })
  | { readonly x402Version: number; readonly accepted?: undefined };

/** The signed data, and the signature. */
export interface SignedAuthorization {
  readonly signature: string;
  readonly authorization: Authorization;
}

/**
 * Reads a payment. Returns its content, or the first member that keeps it from being one. No other code reads
 * payments.
 */
export function readPaymentPayload(content: unknown): PaymentPayload | MemberFault {
  const version = Object(content).x402Version;
  if (typeof version === 'number' && version !== 2) return { x402Version: version };
  if (!isEnvelope(content)) return firstFault(Envelope, content);
  const { payload, ...envelope } = content;
  if (payload.authorization === undefined) return { ...envelope, signed: undefined };
  if (!isEip3009Payload(payload)) return firstFault(Eip3009Payload, payload, 'payload.');
  return { ...envelope, signed: toSigned(payload) };
}

const isEnvelope = guard(Envelope);
const isEip3009Payload = guard(Eip3009Payload);

function toSigned({ signature, authorization }: Static<typeof Eip3009Payload>) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const [sum, after, before] = [value, validAfter, validBefore].map((one) => `${BigInt(one)}`);
  return {
    signature,
    authorization: {
      ...{ from, to, nonce },
      ...{ value: `${sum}`, validAfter: `${after}`, validBefore: `${before}` },
    },
  };
}

/** Members that contain a secret, or a signature that can be redeemed. */
const SECRET = /(?:signature|nonce)$/;

function firstFault(schema: TSchema, content: unknown, prefix = ''): MemberFault {
  const first = Errors(schema, content).First();
  const member = prefix + (first?.path.slice(1).replaceAll('/', '.') ?? '');
  const isShown = !SECRET.test(member) && isShowable(first?.value);
  const expected = first?.schema.description ?? 'a JSON object';
  return { fault: showMember(member || 'The payment', first?.value, expected, isShown) };
}
