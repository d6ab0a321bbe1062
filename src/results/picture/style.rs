//! The colours, once for light and once for dark: what carries meaning differs in shape as well.
//!
//! What stands in a picture's definitions is styled by class alone (`.ub-tree`): a browser does not look for ancestors there.
//! Plain selectors only, and no property that a program which makes a PNG would not know.

/// By day and on paper.
pub const LIGHT: &str = "\
.ub text{font-family:Alegreya,'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','P052',Georgia,serif;font-weight:500;fill:#2a2117}\
.ub .paper{fill:#efe5cc}.ub .frame{fill:none;stroke:#4b3b28;stroke-width:2}.ub .fine{stroke-width:.8}.ub .plate{fill:#f7f0dd}\
.ub .land{fill:#f6efdc}.ub .sea{fill:#d5e1dd}.ub .lake{fill:#c3d6d8}\
.ub .shoal{fill:none;stroke-linejoin:round}.ub .s1{stroke:#bcd0cf;stroke-width:25}.ub .s2{stroke:#aac4c6;stroke-width:15}.ub .s3{stroke:#93b3b9;stroke-width:7}\
.ub .coast,.ub .shore{fill:none;stroke:#3f6573;stroke-width:1.5;stroke-linejoin:round}\
.ub .grid{fill:none;stroke:#5d4c35;stroke-opacity:.34;stroke-width:.7}\
.ub .rim{fill:none;stroke:#5d4c35;stroke-width:1.1;stroke-linejoin:round}.ub .wash{fill-opacity:.3}.ub .hatch{fill-opacity:.2}.ub .ribbon{fill:none;stroke-width:13;stroke-opacity:.42;stroke-linejoin:round}\
.ub .wash.vassal{fill-opacity:.17}.ub .ribbon.vassal{stroke-dasharray:9 5}\
.ub .vassalkey{fill:none;stroke:#5d4c35;stroke-width:5;stroke-opacity:.5;stroke-dasharray:6 3}\
.ub .province{fill:none;stroke:#5b4636;stroke-width:1;stroke-dasharray:2.2 2.6}\
.ub .frontier{fill:none;stroke-linejoin:round}.ub .f1{stroke:#f8f2e3;stroke-width:3.4;stroke-opacity:.75}.ub .f2{stroke:#4b2f22;stroke-width:1.7;stroke-dasharray:7 2.5 1.6 2.5}\
.ub .river{fill:none;stroke:#3d7795;stroke-linecap:round;stroke-linejoin:round}.ub .minor{stroke-width:2}.ub .major{stroke-width:4.4}\
.ub .strait{fill:none;stroke-linecap:round;stroke-linejoin:round}.ub .t1{stroke:#3f6573;stroke-width:9}.ub .t2{stroke:#d5e1dd;stroke-width:6.2}\
.ub .closed{fill:none;stroke:#4b3b28;stroke-width:4.4}.ub .bars{fill:none;stroke:#f6efdc;stroke-width:2.4;stroke-dasharray:2.6 2.6}\
.ub .road{fill:none;stroke:#7b5230;stroke-width:3;stroke-linejoin:round}.ub .gravel{stroke:#f4e9cf;stroke-width:1.4}\
.ub-tree{fill:#8ea377;stroke:#45593a;stroke-width:.8;stroke-linejoin:round}.ub-leaf,.ub-trunk{fill:none;stroke:#45593a;stroke-width:.8;stroke-linecap:round}\
.ub-marsh{stroke:#2c7068;stroke-width:1.05;fill:none;stroke-linecap:round}\
.ub-hill{fill:#d9c49c;stroke:#5b4328;stroke-width:1;stroke-linejoin:round;stroke-linecap:round}.ub-slope{fill:none;stroke:#5b4328;stroke-width:.8;stroke-linecap:round}\
.ub .halo{paint-order:stroke;stroke:#f8f2e3;stroke-width:2.8;stroke-linejoin:round;stroke-opacity:.85}\
.ub .no text,.ub .one{font-size:7.6px;fill:#6b5a41;text-anchor:middle}\
.ub .name{font-weight:700}.ub .name.seat{fill:#7c1712}.ub .mid{text-anchor:middle}\
.ub .realm{font-weight:700;text-anchor:middle;fill:#6b4a35;fill-opacity:.92;stroke-opacity:.55}\
.ub .water{font-style:italic;text-anchor:middle;fill:#345f73;stroke:#d5e1dd}\
.ub .stream{font-style:italic;fill:#1f5878;stroke-width:2.2}\
.ub .city{fill:#33291f;stroke:#f8f2e3;stroke-width:1.1;stroke-linejoin:round}.ub .city.seat{fill:#8c1d18}\
.ub .ring{fill:#f8f2e3;stroke:#33291f;stroke-width:1}.ub .crown{stroke:#8c1d18;stroke-width:1.5}\
.ub .value{font-weight:700;fill:#fbf6ea;text-anchor:middle}\
.ub .anchor{fill:none;stroke:#24506d;stroke-width:1.4;stroke-linecap:round}\
.ub .counter{stroke:#1c150e;stroke-width:.9}.ub .shadow{fill:#2a1c0c;fill-opacity:.3}.ub .on{font-weight:700;text-anchor:middle}\
.ub .swords{fill:none;stroke:#a3161f;stroke-width:1.9;stroke-linecap:round}.ub .swordsback{fill:none;stroke:#fbf6ea;stroke-width:4.4;stroke-linecap:round}\
.ub .way{fill:none;stroke-linecap:butt}.ub .under{stroke:#1c150e;stroke-width:5.6}.ub .over{stroke-width:3.6}.ub .retreat{stroke-dasharray:8 4}.ub .grey{stroke:#b9ab92}\
.ub .head{stroke:#1c150e;stroke-width:1;stroke-linejoin:round}\
.ub .link{fill:none;stroke:#7b5230;stroke-width:2;stroke-dasharray:7 5}.ub .searoute{stroke:#3d7795}\
.ub .boxed{fill:#f7f0dd;stroke:#4b3b28;stroke-width:1.8}.ub .boxin{fill:#f6efdc;stroke:#4b3b28;stroke-width:.8}\
.ub .key{font-size:12px}.ub .tale{font-style:italic}.ub .title{font-weight:700;text-anchor:middle}.ub .subtitle{font-style:italic;text-anchor:middle}\
.ub .outline{fill:none;stroke:#4b3b28;stroke-width:.8}.ub .bar{fill:#33291f;stroke:#33291f;stroke-width:.8}.ub .bar.pale{fill:#f8f2e3}\
.ub .ray{fill:#33291f;stroke:#33291f;stroke-width:.6;stroke-linejoin:round}.ub .ray.pale{fill:#f8f2e3}.ub .north{font-weight:700;font-size:13px;text-anchor:middle}";

/// By night, for pages; and what only a pointer needs.
pub const DARK: &str = "\
.ub .hits path{fill:#000;fill-opacity:0;stroke:none}.ub .hits path:hover{stroke:#a3161f;stroke-width:2}\
@media (prefers-color-scheme:dark){\
.ub text{fill:#eadfca}.ub .paper{fill:#241f18}.ub .frame{stroke:#b7a482}.ub .plate{fill:#2d271f}.ub .frame.fine{fill:none}\
.ub .land{fill:#3a342b}.ub .sea{fill:#1b2c34}.ub .lake{fill:#20394a}\
.ub .s1{stroke:#203740}.ub .s2{stroke:#27434e}.ub .s3{stroke:#30525f}.ub .coast,.ub .shore{stroke:#7fa9b8}\
.ub .grid{stroke:#cbbda4;stroke-opacity:.2}.ub .rim{stroke:#b7a482}.ub .wash{fill-opacity:.3}.ub .ribbon{stroke-opacity:.38}\
.ub .province{stroke:#cdb795}.ub .f1{stroke:#1c1812}.ub .f2{stroke:#f0dcb9}.ub .vassalkey{stroke:#cbbda4}\
.ub .river{stroke:#6fb2da}.ub .t1{stroke:#7fa9b8}.ub .t2{stroke:#1b2c34}\
.ub .closed{stroke:#e6d8bf}.ub .bars{stroke:#2a251e}.ub .road{stroke:#c79a6a}.ub .gravel{stroke:#3a2f22}\
.ub-tree{fill:#4f6b48;stroke:#a9c79b}.ub-leaf,.ub-trunk{stroke:#a9c79b}.ub-marsh{stroke:#6cc7be}\
.ub-hill{fill:#6b5a40;stroke:#e0c9a1}.ub-slope{stroke:#e0c9a1}\
.ub .halo{stroke:#211c15}.ub .water{fill:#a9d4ee;stroke:#1b2c34}.ub .stream{fill:#a9d4ee}\
.ub .no text,.ub .one{fill:#b7a98f}.ub .realm{fill:#dcc4a0}.ub .name.seat{fill:#ffb3a3}\
.ub .city{fill:#efe5d0;stroke:#211c15}.ub .city.seat{fill:#ff9c8a}.ub .ring{fill:#211c15;stroke:#efe5d0}.ub .crown{stroke:#ff9c8a}\
.ub .value{fill:#211c15}.ub .anchor{stroke:#a9d4ee}\
.ub .counter{stroke:#f4ead6}.ub .swords{stroke:#ff9c94}.ub .swordsback{stroke:#211c15}\
.ub .under{stroke:#f4ead6}.ub .head{stroke:#f4ead6}.ub .link{stroke:#c79a6a}.ub .searoute{stroke:#6fb2da}\
.ub .boxed{fill:#2d271f;stroke:#b7a482}.ub .boxin{fill:#3a342b;stroke:#b7a482}\
.ub .outline{stroke:#b7a482}.ub .bar,.ub .ray{fill:#eadfca;stroke:#eadfca}.ub .bar.pale,.ub .ray.pale{fill:#241f18}}";
