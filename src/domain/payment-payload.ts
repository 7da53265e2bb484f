/** Parses and checks the payment in a `PAYMENT-SIGNATURE` header (x402 v2). */

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Errors } from '@sinclair/typebox/errors';
import { guard } from './guard.ts';
import { isShowable, type MemberFault, showMember } from './member-fault.ts';
import type { Authorization } from './x402.ts';

/** Declares a text member. Its description completes the error about a wrong value: "expected …". */
const text = (description: string) => Type.String({ description });
const record = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const orNull = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description: `${schema.description}` }));

/** A number in any form that the official x402 code converts: decimal or hex text, or a JSON integer. */
const Uint = Type.Union(
  [Type.String({ pattern: '^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$' }), Type.Integer({ minimum: 0 })],
  { description: 'a whole number in decimal digits, as text' },
);
const Address = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: '0x and 40 hex digits',
});

/** The entry of `accepts` that the client chose. `judgePayment` decides whether it matches our terms. */
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

/** The members of a payment. Members that are not listed here are ignored, as in the official x402 code. */
const Envelope = Type.Object({
  x402Version: Type.Literal(2, { description: '2' }),
  accepted: Accepted,
  payload: record('an object with `signature` and `authorization`'),
  /** The server's own extensions, as the client repeated them. */
  extensions: orNull(record('an object')),
});

/**
 * The signed EIP-3009 authorization. The signature is 65 bytes long from an ordinary wallet, several hundred
 * from a smart wallet, and below 2,000 from a smart wallet that is not deployed yet.
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

/** The members of `PAYMENT-SIGNATURE` that we use, with the numbers of the authorization in decimal. */
export type PaymentPayload =
  | (Omit<Static<typeof Envelope>, 'payload'> & {
      /**
       * The signed authorization, or `undefined` for another way to pay (Permit2, ERC-7710), which is known
       * well enough to be refused by name.
       */
      readonly signed: SignedAuthorization | undefined;
    })
  | { readonly x402Version: number; readonly accepted?: undefined };

/** An EIP-3009 authorization with its signature. */
export interface SignedAuthorization {
  readonly signature: string;
  readonly authorization: Authorization;
}

/**
 * Parses a payment. Returns its content, or the first member that is wrong. No other code parses payments.
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

/** Matches members that contain a secret, or a signature that can be redeemed. */
const SECRET = /(?:signature|nonce)$/;

function firstFault(schema: TSchema, content: unknown, prefix = ''): MemberFault {
  const first = Errors(schema, content).First();
  const member = prefix + (first?.path.slice(1).replaceAll('/', '.') ?? '');
  const isShown = !SECRET.test(member) && isShowable(first?.value);
  const expected = first?.schema.description ?? 'a JSON object';
  return { fault: showMember(member || 'The payment', first?.value, expected, isShown) };
}
