/** Lists words that parsers of email search for, and the canary that must not leak. */

/** A word that is put in private places, and in no DNS name. It must not be found in any result. */
export const CANARY = 'kanarien!vogel';

/** Pieces that parsers of email search for, and similar ones. */
export const WORDS: readonly string[] = [
  CANARY,
  ...'\r\n¦\n¦\r¦\r\n\r\n¦\r\n ¦\r\n\t¦\0¦\x7f¦\xff¦\xa0¦\x1b$B'.split('¦'),
  ...'\xc2\xad¦\xe2\x80\xae¦\xef\xbb\xbf¦\xf0\x9f\x98\x80¦\xc0\x80¦\xed\xa0\x80'.split('¦'),
  ...'--¦--b¦--b--¦\r\n--b\r\n¦\r\n--b--\r\n¦; boundary=b¦; boundary="¦; boundary*0=b'.split('¦'),
  ...'=?utf-8?q?¦=?utf-8?b?¦?=¦=?utf-16?b?AA?=¦=?x?y?z?=¦=00¦=\r\n¦=E¦====¦AAAA'.split('¦'),
  ...`<>"\\()[]@,;:.=%&*'/#`,
  ...'{{ }}'.split(' '),
  ...'From: ¦From:a@example.com¦Sender: ¦Reply-To: ¦To: ¦Subject: ¦Date: '.split('¦'),
  ...'Message-ID: <¦Received: from ¦i=1; ¦cv=pass; ¦ARC-Seal: i=1; cv=none; '.split('¦'),
  'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; h=from; bh=; b=',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ...'List-Unsubscribe: <https://¦List-Id: <a.b>¦Precedence: bulk¦Content-Type: '.split('¦'),
  ...'multipart/mixed multipart/alternative message/rfc822 text/html text/plain'.split(' '),
  ...'Content-Transfer-Encoding: base64¦Content-Disposition: attachment; filename='.split('¦'),
  ...'quoted-printable 8bit binary charset=utf-7 charset=utf-16le charset=x'.split(' '),
  ...`application/zip filename*0*=utf-8''% filename="a.exe name*1= format=flowed`.split(' '),
  ...'PK\x03\x04¦PK\x01\x02¦PK\x05\x06¦%PDF-1.4¦\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1¦MZ¦{\\rtf'.split(
    '¦',
  ),
  ...'<a href="¦<a href=https://¦</a>¦<img src=¦ alt="¦ width=1 height=1¦<style>'.split('¦'),
  ...'display:none font-size:0 url( /* */ <!-- --> <![CDATA[ <script> </script> <table>'.split(' '),
  ...'<form action=¦<tr>¦<template>¦<svg>¦<title>¦<base href='.split('¦'),
  ...'https:// http://1.2.3.4 https://xn-- javascript: data:text/html, mailto:a@b //'.split(' '),
  ...'https://[::1] :99999 bit.ly __proto__ constructor toString 0 -1 1e9 4294967296'.split(' '),
  ...'99999999999999999999¦Fri, 20 Nov 2026 11:00:00 +0000'.split('¦'),
];
